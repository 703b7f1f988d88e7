// The variables are the same everywhere: in the table, in .env.example, in docs/credentials.md.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseEnvFile } from './env-file.ts';
import { credentialNames } from './settings.ts';
import { configuration } from './target.ts';
import { variableNames, variablesIn } from './variables.ts';

const example = readFileSync('.env.example', 'utf8');
const documented = variableNames.filter((name) => name !== 'COVENANT_DEBUG');

test('.env.example holds every variable, in order, and sets none', () => {
  const entries = parseEnvFile(example, '.env.example');
  expect(entries.map(({ name }) => name)).toEqual(documented);
  const read = configuration({ flags: {}, environment: {}, envFile: example, freshSeed: 1, requirements: {} });
  expect(read).toMatchObject({ notices: [] });
  expect(read.target).toBeUndefined();
});

test('the page of the configuration names every variable', () => {
  expect(variableNames.filter((name) => !readFileSync('docs/credentials.md', 'utf8').includes(name))).toEqual([]);
});

test('every credential is a variable', () => {
  expect(credentialNames.filter((name) => !(variableNames as readonly string[]).includes(name))).toEqual([]);
});

test('the variables that a reason names are found', () => {
  const reason = 'COVENANT_JWT is not set (COVENANT_JWT_EXPIRED neither), COVENANT_NOTHING, COVENANT_JWT';
  expect(variablesIn(reason)).toEqual(['COVENANT_JWT', 'COVENANT_JWT_EXPIRED']);
});
