// Common request headers: what a write repeated under its Idempotency-Key does.
import { suite } from '../lib/index.ts';
import { elsewhere } from './idempotency/elsewhere.ts';
import { notesUnderKeys } from './idempotency/notes.ts';
import { otherAccount, usedKeys } from './idempotency/observed.ts';
import { race } from './idempotency/race.ts';
import { idempotencyRules } from './idempotency/rules.ts';

export default suite('idempotency', [notesUnderKeys, race, usedKeys, otherAccount, ...elsewhere], idempotencyRules);
