// A disk that takes no ledger ends the run before anything is made that could not be found again.
import { expect, test } from 'vitest';
import { Ended } from '../client/errors.ts';
import type { Entry } from '../client/ledger.ts';
import { NotWritten } from '../runtime/disk.ts';
import { stored } from './stored.ts';

const full = (): never => {
  throw new NotWritten('reports/ledgers/1.ndjson', Object.assign(new Error('no'), { code: 'ENOSPC' }));
};
const announced: Entry = { entry: 'switch', n: 1, credential: 'COVENANT_JWT', slug: 'acme' };

test('what is announced and cannot be stored is not sent, and ends the run', () => {
  const ends: string[] = [];
  expect(() => stored(announced, full, ({ message }) => ends.push(message))).toThrow(Ended);
  expect(ends).toEqual([
    'reports/ledgers/1.ndjson could not be written: the disk is full; without it a run makes nothing that it could not find again',
  ]);
});

test('what is already done ends the run and nothing else, so that the clean-up goes on', () => {
  const ends: string[] = [];
  stored({ entry: 'restored', n: 1 }, full, ({ message }) => ends.push(message));
  expect(ends).toHaveLength(1);
});

test('any other error is one of our own', () => {
  const broken = () => {
    throw new TypeError('oh dear');
  };
  expect(() => stored(announced, broken, () => {})).toThrow(TypeError);
});
