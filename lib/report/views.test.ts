// Every view renders every kind of result, the same each time, without changing what it was given.
import { expect, test } from 'vitest';
import { rulings } from '../catalogue/rulings.ts';
import { ofProfile, results } from './results.test-data.ts';
import { conformant } from './sample.test-data.ts';
import { views } from './views.ts';

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

for (const [name, view] of Object.entries(views)) {
  test.each(Object.entries(results))(`${name} of a result %s is a pure function`, (_, result) => {
    const context = frozen({ rulings: { ...rulings }, baseline: conformant().report });
    const text = view.render(frozen(result()), context);
    expect(text.length).toBeGreaterThan(100);
    expect(view.render(result(), context)).toBe(text);
  });
}

test.each(Object.entries(views).filter(([name]) => name !== 'har'))('%s names the profile of a run', (_, view) => {
  expect(view.render(ofProfile())).toContain('server-to-server');
});

test('no two views write the same file', () => {
  const files = Object.values(views).map((view) => view.file);
  expect(new Set(files).size).toBe(files.length);
  expect(files).not.toContain('report.json');
});
