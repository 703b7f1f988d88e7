// Tests of rules for Idempotency-Key: what may answer a repeat, also while the first is in progress.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofRepeats } from '../rules.test-data.ts';

const creation = (status: number, more: Partial<Exchange> = {}): Exchange => ({
  operation: 'POST /companies/{company_id}/notes',
  path: '/companies/18/notes',
  body: { text: 'Covenant x9k2 note 1f 1' },
  headers: { 'idempotency-key': '7f8f4ad7-9b5b-4b9c-9f0d-4c6d0a1c2b3e' },
  status,
  json: status === 201 ? { data: { id: 5 } } : { error: { code: 'X', message: 'x' }, request_id: 'r' },
  ...more,
});

test.each([
  ['an error of the server in a race, after the success', [creation(201), creation(500, { after: 0 })], 1],
  ['an error of the server in a race, before the success', [creation(500), creation(201, { after: 0 })], 1],
  ['a conflict in a race', [creation(201), creation(409, { after: 0 })], 0],
  ['an error before the write was tried again', [creation(500), creation(201)], 0],
  ['an error once it had been accepted', [creation(201), creation(500)], 1],
])('%s', (_, exchanges, found) => {
  expect(ofRepeats(historyOf(...exchanges))).toHaveLength(found);
});
