// Stand-ins: of the same shape as the secrets, and what is made from a secret gets what is made from its stand-in.
import { describe, expect, test } from 'vitest';
import { StandIns } from './record.ts';

const key = 'svc_sk_Qu0VxAbCdEfGhIjKlMnOpQrStUv';
const head = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyLTE3In0';
const jwt = `${head}.c2lnbmF0dXJlLWJ5dGVzc2lnbmF0dXJl`;

function replacing(invented: Readonly<Record<string, string>> = {}): (text: string) => string {
  const standIns = new StandIns();
  const { secrets } = standIns;
  secrets.add('COVENANT_API_KEY', key);
  secrets.add('COVENANT_JWT', jwt);
  for (const [name, token] of Object.entries(invented)) secrets.addInvented(name, token);
  return (text) => standIns.replace(text);
}

test('of a key its visible beginning and its last character stay, and the kind of each other one', () => {
  const standIn = replacing()(key);
  expect(standIn).toHaveLength(key.length);
  expect([standIn.slice(0, 13), standIn.at(-1)]).toEqual([key.slice(0, 13), key.at(-1)]);
  const kinds = (token: string) => token.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
  expect(kinds(standIn)).toBe(kinds(key));
  expect(standIn).not.toContain(key.slice(14, 20));
});

test('a short text keeps its punctuation, also where that means something to those who replace texts', () => {
  const standIns = new StandIns();
  standIns.secrets.add('KEY', "$$ab$&$'7");
  expect(standIns.replace("(c$$ab$&$'7d)")).toMatch(/^\(c\$\$[^ab]{2}\$&\$'[^7]d\)$/);
});

test('of a JWT header and claims stay', () => {
  const standIn = replacing()(jwt);
  expect(standIn.startsWith(`${head}.`)).toBe(true);
  expect(standIn).not.toContain(jwt.slice(-20, -5));
  expect(standIn.slice(head.length + 1, head.length + 9)).not.toBe(jwt.slice(head.length + 1, head.length + 9));
});

describe('a token that the run made up', () => {
  const backwards = (text: string): string => [...text].reverse().join('');
  const made: readonly [what: string, make: (key: string, jwt: string) => string][] = [
    ['with another character inside', (one) => `${one.slice(0, 20)}7${one.slice(21)}`],
    ['without its last character', (one) => one.slice(0, -1)],
    ['a short part', (one) => one.slice(8, 20)],
    ['in lower case', (one) => one.toLowerCase()],
    ['in upper case', (one) => one.toUpperCase()],
    ['backwards', (one) => backwards(one)],
    ['a JWT without its signature', (_, session) => session.slice(0, session.lastIndexOf('.') + 1)],
    ['a JWT signed backwards', (_, session) => `${head}.${backwards(session.slice(head.length + 1))}`],
    ['of no secret', () => 'svc_sk_0123456789abcdef'],
  ];

  test.each(made)('%s', (_, make) => {
    const token = make(key, jwt);
    const replace = replacing({ 'a token': token });
    expect(replace(`Bearer ${token} is not valid`)).toBe(`Bearer ${make(replace(key), replace(jwt))} is not valid`);
  });
});
