// Known attacks, one request each: JWTs with forged signatures, and odd values of Authorization.
import type { Credential, OperationId, Random, Tools } from '../../lib/index.ts';
import { answered } from '../shared/answer.ts';
import { protectedReads } from '../shared/groups.ts';
import { forgedCredential } from '../shared/invalid-tokens.ts';
import { forgedSignatures } from './forged-signatures.ts';

export interface Attack {
  readonly credential: Credential;
  /** The whole header, if the credential has no token. */
  readonly authorization?: string;
}

const attacks = (...rows: readonly (readonly [name: string, authorization: string])[]): readonly Attack[] =>
  rows.map(([name, authorization]) => ({ credential: { name, kind: 'invalid', accounts: [] }, authorization }));

export const missingBehind = attacks(
  ['nothing behind Bearer', 'Bearer'],
  ['nothing behind Bearer but a blank', 'Bearer '],
  ['nothing behind Bearer but tabs and blanks', 'Bearer \t \t'],
);

export const malformedHeaders = attacks(
  ['a text behind Bearer twice', 'Bearer Bearer covenant'],
  ['a text of two words', 'Bearer covenant covenant'],
  ['a text with a tab inside', 'Bearer cove\tnant'],
  ['a text in quotes', 'Bearer "covenant"'],
  ['a text as a parameter', 'Bearer token="covenant", realm="x"'],
  ['a text that is a list', 'Bearer covenant, Bearer covenant'],
  ['a text of delimiters', 'Bearer (),/:;<=>?@[\\]{}'],
  ['the header Basic with a name and a password', `Basic ${Buffer.from('covenant:covenant').toString('base64')}`],
  ['the header Basic with what is not base64', 'Basic ~~~'],
  ['the header Basic and nothing', 'Basic'],
  ['the header Digest', 'Digest username="covenant", uri="/"'],
  ['the header Negotiate', 'Negotiate YII='],
  ['the header of bytes beyond ASCII', 'Bearer \u00e9\u00ff\u0080'],
);

export const forgedSessions = (tools: Pick<Tools, 'invalid'>, session: Credential): readonly Attack[] =>
  forgedSignatures(session).map((one) => ({ credential: forgedCredential(one, tools) }));

const quickMax = 2;

/** The attacks on each operation: a few in a quick run, otherwise each once. */
export function byOperation(
  all: readonly Attack[],
  random: Random,
  isQuick: boolean,
): readonly (readonly [OperationId, readonly Attack[]])[] {
  const drawn = random.shuffled(all).slice(0, isQuick ? quickMax : undefined);
  const operations = random.shuffled(protectedReads);
  return operations.flatMap((operation, place) => {
    const mine = drawn.filter((_, index) => index % operations.length === place);
    return mine.length === 0 ? [] : [[operation, mine] as const];
  });
}

/** At once: none depends on another. */
export async function sendAttacks(
  { api }: Pick<Tools, 'api'>,
  operation: OperationId,
  attacks: readonly Attack[],
): Promise<void> {
  const send = ({ credential, authorization }: Attack) => {
    const call = authorization === undefined ? {} : { headers: { authorization } };
    return answered(api.as(credential).send(operation, call), () => api.send('GET /me'));
  };
  await Promise.all(attacks.map(send));
}
