// The table of costs is what a dry run measures now: after the cases have changed, `npm run costs` writes it anew.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { costsText } from './cost-table.ts';

test('lib/run/costs.ts is fresh; otherwise run `npm run costs`', { timeout: 300_000 }, async () => {
  expect((await costsText()).split('\n')).toEqual(readFileSync('lib/run/costs.ts', 'utf8').split('\n'));
});
