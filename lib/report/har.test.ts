// HAR is valid by the schema of har-schema, holds every exchange, and says for which case each was sent.
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { har } from './har.ts';
import { results } from './results.test-data.ts';
import { sample } from './sample.test-data.ts';

const schemas: Readonly<Record<string, { readonly $schema: string }>> = createRequire(import.meta.url)('har-schema');

const ajv = new Ajv({ allErrors: true, strict: false });
ajvFormats.default(ajv);
// They name a dialect (draft-06) that differs from ajv's default in nothing that they use.
for (const schema of Object.values(schemas)) {
  const { $schema, ...rest } = schema;
  ajv.addSchema(rest);
}
const validate = ajv.getSchema('har.json#') ?? ajv.compile(false);

for (const [kind, result] of Object.entries(results)) {
  test(`a result ${kind} is valid by the schema`, () => {
    validate(JSON.parse(har(result())));
    expect(validate.errors ?? []).toEqual([]);
  });
}

test('the schema would refuse an address that is none, and an entry without timings', () => {
  const { log } = JSON.parse(har(sample()));
  const [first] = log.entries;
  const withEntry = (entry: object) => ({ log: { ...log, entries: [entry] } });
  expect(validate(withEntry(first))).toBe(true);
  expect(validate(withEntry({ ...first, request: { ...first.request, url: 'a b' } }))).toBe(false);
  expect(validate(withEntry({ ...first, timings: undefined }))).toBe(false);
});

test('every exchange of the transcript is an entry that names its requirement and case', () => {
  const { transcript } = sample({ exchanges: 60 });
  const { log } = JSON.parse(har(sample({ exchanges: 60 })));
  expect(log.entries.map((entry: { _covenant: { exchange: number } }) => entry._covenant.exchange)).toEqual(
    transcript.map(({ id }) => id),
  );
  const asked = transcript.find((exchange) => exchange.case !== undefined);
  const entry = log.entries[(asked?.id ?? 0) - 1];
  expect(entry._covenant).toMatchObject({
    case: asked?.case,
    requirements: asked?.requirements,
    credential: 'COVENANT_API_KEY',
  });
  expect(entry.comment).toBe(`case "${asked?.case}" for ${asked?.requirements?.join(', ')}`);
  expect(log.pages.map((page: { id: string }) => page.id)).toContain(entry.pageref);
});

test('bodies are kept as recorded', () => {
  const { transcript } = sample();
  const { log } = JSON.parse(har(sample()));
  expect(log.entries[1].response.content.text).toBe(transcript[1]?.response.body);
});
