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

const attack = (name: string, authorization: string): Attack => ({
  credential: { name, kind: 'invalid', accounts: [] },
  authorization,
});
const missing = (name: string, text: string) => attack(`nothing behind ${name}`, text);
const malformed = (name: string, text: string) => attack(`a text ${name}`, text);
const open = (name: string, text: string) => attack(`the header ${name}`, text);

export const missingBehind: readonly Attack[] = [
  missing('Bearer', 'Bearer'),
  missing('Bearer but a blank', 'Bearer '),
  missing('Bearer but tabs and blanks', 'Bearer \t \t'),
];

export const malformedHeaders: readonly Attack[] = [
  malformed('behind Bearer twice', 'Bearer Bearer covenant'),
  malformed('of two words', 'Bearer covenant covenant'),
  malformed('with a tab inside', 'Bearer cove\tnant'),
  malformed('in quotes', 'Bearer "covenant"'),
  malformed('as a parameter', 'Bearer token="covenant", realm="x"'),
  malformed('that is a list', 'Bearer covenant, Bearer covenant'),
  malformed('of delimiters', 'Bearer (),/:;<=>?@[\\]{}'),
  open('Basic with a name and a password', `Basic ${Buffer.from('covenant:covenant').toString('base64')}`),
  open('Basic with what is not base64', 'Basic ~~~'),
  open('Basic and nothing', 'Basic'),
  open('Digest', 'Digest username="covenant", uri="/"'),
  open('Negotiate', 'Negotiate YII='),
  open('of bytes beyond ASCII', 'Bearer \u00e9\u00ff\u0080'),
];

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
