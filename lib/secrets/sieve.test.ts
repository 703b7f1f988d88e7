// The sieve holds back every text with two steps of a secret in it, and hardly any other.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { codesOf } from './runs.ts';
import { Sieve, step } from './sieve.ts';

const secret = 'svc_sk_q7Zk2Lw9Xt4Rb8Vn1Mc6Pd3Hf5Gj0Ys';

function sieveFor(...secrets: readonly string[]) {
  const sieve = new Sieve();
  const kinds = secrets.map((one) => {
    const kind = sieve.kind();
    sieve.add(one, kind);
    return kind;
  });
  return { sieve, kinds };
}

test('two steps of a secret are found wherever they begin and stand, in either letter case', () => {
  const { sieve } = sieveFor(secret);
  fc.assert(
    fc.property(
      fc.nat(secret.length - 2 * step),
      fc.string(),
      fc.string(),
      fc.boolean(),
      (from, before, after, loud) => {
        const part = secret.slice(from, from + 2 * step);
        expect(sieve.mayBeIn(codesOf(before + (loud ? part.toUpperCase() : part) + after))).toBe(true);
      },
    ),
    { seed: 11, numRuns: 2000 },
  );
});

test('each kind is found apart', () => {
  const { sieve, kinds } = sieveFor(secret, 'something else altogether');
  const [own, other] = kinds;
  expect(sieve.mayBeIn(codesOf(`Bearer ${secret}`), own)).toBe(true);
  expect(sieve.mayBeIn(codesOf(`Bearer ${secret}`), other)).toBe(false);
});

test('texts without one are passed over, also where they begin as it does', () => {
  const { sieve } = sieveFor(...Array.from({ length: 8 }, (_, at) => secret.slice(at) + secret.slice(0, at)));
  const texts = Array.from(
    { length: 5000 },
    (_, at) => `{"key_prefix":"${secret.slice(0, 11)}","request_id":"req_${at * 7919}"}`,
  );
  expect(texts.filter((text) => sieve.mayBeIn(codesOf(text))).length).toBeLessThan(5);
  expect(new Sieve().mayBeIn(codesOf(secret))).toBe(false);
});

test('one character again and again is passed over, unless it fills a step of a secret', () => {
  const filler = Array.from('abcdefghijklmnopqrstuvwxyz', (one) => one.repeat(64));
  const packed = Array.from({ length: 300 }, (_, at) => Buffer.from(`${at * 7919}${secret}${at}`).toString('base64'));
  const { sieve } = sieveFor(...packed);
  expect(filler.filter((text) => sieve.mayBeIn(codesOf(text)))).toEqual([]);
  const uniform = sieveFor(`sk_${'n'.repeat(2 * step)}`).sieve;
  expect(uniform.mayBeIn(codesOf(`"${'N'.repeat(40)}"`))).toBe(true);
});
