// The OpenAPI description: a linter that others wrote accepts it, nothing of the interface is missing.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../catalogue/index.ts';
import { methodOf, operationIds, operations, pathOf } from '../catalogue/operations.ts';
import { compose } from '../cli/compose.ts';
import { trial } from '../cli/trial.test-data.ts';

interface Described {
  readonly security: readonly Record<string, readonly string[]>[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-covenant-rate-limit': { readonly class: string };
  readonly 'x-covenant-requirements': readonly string[];
}

const document = compose().openapi('https://staging.deals.dev/lending');
const text = JSON.stringify(document);
const paths = document.paths as Record<string, Record<string, Described>>;

const described = (id: (typeof operationIds)[number]): Described => {
  const found = paths[pathOf(id)]?.[methodOf(id).toLowerCase()];
  if (found === undefined) throw new Error(`${id} is not described`);
  return found;
};

async function problems(source: string): Promise<string[]> {
  // The document of the interface has no licence.
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } });
  const found = await lintFromString({ source, config });
  return found.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} ${place?.pointer}`);
}

test('a linter that others wrote has nothing to say, and refuses it once it is damaged', async () => {
  expect(await problems(text)).toEqual([]);
  const damaged = JSON.parse(text);
  damaged.paths['/health'].get.responses = [];
  expect((await problems(JSON.stringify(damaged))).join('\n')).toContain('struct');
});

test('it names the server', () => {
  expect(JSON.parse(text).servers[0].url).toBe('https://staging.deals.dev/lending/api/external/v2');
});

test.each(operationIds)('%s has its success, its errors, its limit, its scope and its requirements', (id) => {
  const { errors, success, rate, scope, protected: isProtected } = operations[id];
  const { responses, security, ...more } = described(id);
  expect(Object.keys(responses).sort()).toEqual([...errors, success, 429, 'default'].map(String).sort());
  expect(security.map((one) => Object.values(one))).toEqual(
    isProtected ? [[scope ? [scope] : []], [scope ? [scope] : []]] : [],
  );
  expect(more['x-covenant-rate-limit'].class).toBe(rate);
  expect(more['x-covenant-requirements'].length).toBeGreaterThan(0);
});

test('every reference leads somewhere, and every identifier stands in the catalogue', () => {
  const at = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((place, name) => (place as Record<string, unknown>)?.[name], JSON.parse(text));
  const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer = '']) => pointer);
  expect(references.filter((pointer) => at(pointer) === undefined)).toEqual([]);
  const lists = [...text.matchAll(/"x-covenant-requirements":(\[[^\]]*\])/g)].map(([, ids = '[]']) => JSON.parse(ids));
  expect(lists.flat().filter((id: string) => !Object.hasOwn(catalogue, id))).toEqual([]);
  expect(text).toContain('"#/components/schemas/PhoneIn"');
});

describe('covenant openapi', () => {
  test('prints it for the server that is named', async () => {
    const { code, out, stderr } = await trial(['openapi', '--base-url', 'https://a.example/api/external/v2/']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(out).servers).toEqual([{ url: 'https://a.example' }]);
  });
});
