// A recipe makes the token from the secrets alone, and betrays none of them.
import { expect, test } from 'vitest';
import { madeBy, recipeOf, sourcesOf } from './recipe.ts';

const key = 'svc_sk_Qu0VxAbCdEfGhIjKlMnOpQrStUv';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyLTE3In0.c2lnbmF0dXJlLWJ5dGVz';
const secrets = new Map([
  ['COVENANT_API_KEY', key],
  ['COVENANT_JWT', jwt],
]);
const sources = [...secrets].flatMap(([of, secret]) => sourcesOf(of, secret));

test.each([
  ['a key without its last character', key.slice(0, -1)],
  ['a key with one more', `${key}x`],
  ['a key with another inside', `${key.slice(0, 15)}!${key.slice(16)}`],
  ['a key with another near its end', `${key.slice(0, -3)}7${key.slice(-2)}`],
  ['a key without a character near its end', `${key.slice(0, -4)}${key.slice(-3)}`],
  ['a key that was never issued', 'svc_sk_0123456789abcdef'],
  ['one that begins like the key in another letter case', 'svc_sk_qU0123456789abcdef'],
  ['a JWT without its signature', `${jwt.split('.').slice(0, 2).join('.')}.`],
  ['a JWT of algorithm none', `eyJhbGciOiJub25lIn0.${jwt.split('.')[1]}.`],
])('%s is made again', (_, token) => {
  const recipe = recipeOf(token, sources);
  expect(madeBy(recipe ?? [], secrets)).toBe(token);
  for (const piece of recipe ?? []) {
    if (typeof piece === 'string' && piece.length >= 8) expect(key).not.toContain(piece.slice(0, 8));
  }
});

test('a literal that was never issued stands as it is, and a part of a JWT by its number', () => {
  expect(recipeOf('svc_sk_0123456789abcdef', sources)).toEqual(['svc_sk_0123456789abcdef']);
  expect(recipeOf(`${jwt.split('.').slice(0, 2).join('.')}.`, sources)).toEqual([
    { of: 'COVENANT_JWT', part: 1, from: 1 },
    '.',
    { of: 'COVENANT_JWT', part: 2, from: 1 },
    '.',
  ]);
});

test('a secret in another letter case or backwards has no recipe, since it would show the secret', () => {
  expect(recipeOf(key.toUpperCase(), sources)).toBeUndefined();
  const [header, payload, signature = ''] = jwt.split('.');
  expect(recipeOf(`${header}.${payload}.${[...signature].reverse().join('')}`, sources)).toBeUndefined();
});

test('what stands behind a changed character follows the secret, however short it is', () => {
  const other = new Map([['COVENANT_API_KEY', 'svc_sk_Qu0VxAbZyXwVuTsRqPoNmLkJiHv']]);
  for (const changed of [
    (one: string) => `${one.slice(0, -3)}7${one.slice(-2)}`,
    (one: string) => `${one.slice(0, -2)}7v`,
  ])
    expect(madeBy(recipeOf(changed(key), sources) ?? [], other)).toBe(changed(other.get('COVENANT_API_KEY') ?? ''));
});
