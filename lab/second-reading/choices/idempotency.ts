// What is left open about the Idempotency-Key.
import { row } from './row.ts';

export const idempotencyRows = {
  idemCompanies: row(
    'Headers: recommended on writes, listed on notes; creates of companies may ignore it.',
    'honoured',
    'ignored',
  ),
  idemContacts: row(
    'Headers: recommended on writes, listed on notes; creates of contacts may ignore it.',
    'honoured',
    'ignored',
  ),
  idemKeys: row(
    'Headers: creates of API keys may ignore it; a full key is returned once and never again.',
    'ignored',
    'same-reply',
    'conflict',
  ),
  idemCompanyEdit: row('Headers: edits of companies may ignore it.', 'honoured', 'ignored'),
  idemDeletes: row('Headers: deletes may ignore it.', 'honoured', 'ignored'),
  idemActive: row('Headers: the change of the active account may ignore it.', 'honoured', 'ignored'),
  idemReplay: row(
    'Headers: a repeat is no second operation; what it is answered is not said.',
    'stored-reply',
    'fresh-envelope',
    'current-record',
    '409',
  ),
  idemReplayStatus: row('Endpoints: 201 for creates; a repeat creates nothing.', 'same', '200'),
  idemReplayHeader: row(
    'Headers: whether a repeat is marked is not said.',
    'none',
    'Idempotency-Replayed',
    'Idempotent-Replay',
  ),
  idemOtherBody: row('Headers: the same key with another request is not described.', '422', '409', '400', 'replay'),
  idemSameBody: row('Headers: when two bodies are the same is not said.', 'bytes', 'parsed'),
  idemScope: row(
    'Headers: for whom and for which path a key counts is not said.',
    'credential-and-path',
    'user-and-path',
    'account-and-path',
    'user',
    'account',
  ),
  idemErrors: row('Headers: whether a refusal is kept under the key is not said.', 'successes', 'refusals-too'),
  idemConcurrent: row('Headers: a repeat while the first is under way is not described.', 'serial', 'conflict', 'wait'),
  idemPosition: row('Headers: whether a repeat is checked again before it is answered is not said.', 'early', 'late'),
  idemNotUuid: row('Headers: the key is a uuid; another text is not described.', 'accepted', '400', '422'),
  idemCase: row('Headers: whether the case of a uuid matters is not said.', 'exact', 'any-case'),
  idemEdge: row('Headers: expires after 24 hours; the very moment is not said.', 'expired', 'alive'),
  idemEcho: row('Headers: whether the key is sent back is not said.', 'none', 'echoed'),
  idemBlank: row('Headers: a blank key is not described.', 'as-absent', '400'),
} as const;
