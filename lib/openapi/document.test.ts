// The OpenAPI description: a validator that others wrote accepts it, nothing of the interface is missing, and its examples keep to its schemas.
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../catalogue/index.ts';
import { methodOf, operationIds, operations, pathOf } from '../catalogue/operations.ts';
import { compose } from '../cli/compose.ts';
import { trial } from '../cli/trial.test-data.ts';
import { violations } from '../schema/schema.ts';

interface Reply {
  readonly content: {
    readonly 'application/json': { readonly examples?: Record<string, { readonly value: unknown }> };
  };
}
interface Described {
  readonly security: readonly Record<string, readonly string[]>[];
  readonly responses: Readonly<Record<string, Reply>>;
  readonly 'x-covenant-rate-limit': { readonly class: string };
  readonly 'x-covenant-requirements': readonly string[];
}

let text = '';
let paths: Record<string, Record<string, Described>> = {};

beforeAll(async () => {
  const document = await compose().openapi('https://staging.example.com/lending');
  text = JSON.stringify(document);
  paths = document.paths as typeof paths;
});

const described = (id: (typeof operationIds)[number]): Described => {
  const found = paths[pathOf(id)]?.[methodOf(id).toLowerCase()];
  if (found === undefined) throw new Error(`${id} is not described`);
  return found;
};

test('a validator of others accepts it, and refuses it once it is damaged', async () => {
  expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
  const damaged = JSON.parse(text);
  damaged.paths['/health'].get.responses = [];
  expect((await new Validator().validate(damaged)).valid).toBe(false);
});

test('it is the same every time, and names the server', async () => {
  expect(JSON.stringify(await compose().openapi('https://staging.example.com/lending'))).toBe(text);
  expect(JSON.parse(text).servers[0].url).toBe('https://staging.example.com/lending/api/external/v2');
});

/** What the reference can be brought to answer wherever the document names it. */
const alwaysShown = ['200', '201', '400', '404', '422'];

function wrongRecords(id: (typeof operationIds)[number], value: unknown, partial: boolean) {
  const { record, list } = operations[id];
  const { data } = value as { data: unknown };
  return (list ? (data as unknown[]) : [data]).flatMap((one) => violations(record, one, { partial }));
}

describe.each(operationIds)('%s', (id) => {
  test('has its success, its errors, its limit, its scope and its requirements', () => {
    const { errors, success, rate, scope, protected: isProtected } = operations[id];
    const { responses, security, ...more } = described(id);
    expect(Object.keys(responses).sort()).toEqual([...errors, success, 429, 'default'].map(String).sort());
    expect(security.map((one) => Object.values(one))).toEqual(
      isProtected ? [[scope ? [scope] : []], [scope ? [scope] : []]] : [],
    );
    expect(more['x-covenant-rate-limit'].class).toBe(rate);
    expect(more['x-covenant-requirements'].length).toBeGreaterThan(0);
  });

  test('has examples of its success and its errors, which keep to the schemas', () => {
    for (const [status, reply] of Object.entries(described(id).responses)) {
      const examples = Object.entries(reply.content['application/json'].examples ?? {});
      const wrong = examples.flatMap(([name, { value }]) =>
        status.startsWith('2') ? wrongRecords(id, value, name === 'fields') : violations('error', value),
      );
      expect(wrong).toEqual([]);
      if (alwaysShown.includes(status)) expect([status, examples.length]).not.toEqual([status, 0]);
    }
  });
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

  test.each([
    [['openapi', '--base-url', 'nowhere'], 'has no http:// or https:// in front'],
    [['openapi', '--base-url', 'https://me:pw@a.example'], 'contains a user or password'],
    [['openapi', 'yaml'], 'does not know what to do with "yaml"'],
    [['openapi', '--format', 'yaml'], "unknown option '--format'"],
    [['openapi', '--base-ulr', 'x'], "unknown option '--base-ulr': did you mean --base-url? See covenant --help."],
  ])('%j is one sentence', async (words, why) => {
    const { code, out, stderr } = await trial(words);
    expect([code, out]).toEqual([2, '']);
    expect(stderr).toContain(why);
    expect(stderr).toMatch(/^covenant: [^\n]+\n$/);
  });
});
