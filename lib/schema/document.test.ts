// Every document names its schema, and the package resolves that name to the file.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentText, schemaPath } from './document.ts';
import { documents, violations } from './schema.ts';

const root = new URL('../../', import.meta.url);
const { name, exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

test.each(documents)('the schema of %s is where its name leads', (document) => {
  const folder = `${name}/schemas/v1/`;
  expect(schemaPath(document).startsWith(folder)).toBe(true);
  expect(exports['./schemas/v1/*']).toBe('./dist/schemas/*');
  expect(existsSync(new URL(`schemas/${schemaPath(document).slice(folder.length)}`, root))).toBe(true);
});

test('a document begins with the name of its schema, which allows it', () => {
  const text = documentText('waivers', { format: 'covenant-waivers/1', waivers: [] });
  expect(text.split('\n')[1]).toBe('  "$schema": "covenant-conformance/schemas/v1/waivers.schema.json",');
  expect(violations('waivers', JSON.parse(text))).toEqual([]);
});
