// Who is let in: a live token wherever it was accepted before and after, and nobody without one or with a bad one.
import {
  type JudgedId,
  type OperationId,
  operations,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isBare, isSession, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';

export const credentialIds = [
  'authentication-missing',
  'authentication-key-unknown',
  'authentication-key-altered',
  'authentication-malformed',
  'authentication-tampered-signature',
  'authentication-tampered-payload',
  'authentication-alg-none',
  'authentication-expired',
  'authentication-revoked',
  'authentication-key-accepted',
  'authentication-jwt-accepted',
] as const satisfies readonly JudgedId[];

/** Reads that name nothing are valid in everything but their credentials. */
function ofStranger(reply: Reply, operation: OperationId): readonly Wrong[] {
  const { protected: isProtected, rate } = operations[operation];
  if (!isProtected || rate !== 'read' || operation.includes('{') || !isBare(reply)) return [];
  if (reply.request.headers.authorization !== undefined || reply.status === 401 || reply.status >= 429) return [];
  return [
    wrong('authentication-missing', operation, 'a request without credentials should be refused', {
      expected: 401,
      actual: reply.status,
      replies: [reply],
    }),
  ];
}

/** By what a case calls a token that it made up, which kind it is of; the first that fits. */
const kinds: readonly (readonly [RegExp, (typeof credentialIds)[number]])[] = [
  [/^COVENANT_JWT_EXPIRED$/, 'authentication-expired'],
  [/^a revoked key$/, 'authentication-revoked'],
  [/^a JWT .*(old signature|in its payload|live longer|another claim)/, 'authentication-tampered-payload'],
  [/^a JWT .*(signature|signed|header and payload alone)/, 'authentication-tampered-signature'],
  [/^a JWT of (algorithm|no algorithm)/, 'authentication-alg-none'],
  [/^a key (of another service)/, 'authentication-malformed'],
  [/^a key (that|of)|^the (end|first half|prefix|visible prefix) of/, 'authentication-key-unknown'],
  [/^a key /, 'authentication-key-altered'],
  [/^a (JWT|text|UUID)|^the word|^three parts/, 'authentication-malformed'],
];

/** A token that is known to be bad, in a call that is valid in everything else. */
function ofBadToken(reply: Reply, operation: OperationId): readonly Wrong[] {
  const [, id] = kinds.find(([name]) => name.test(reply.credential)) ?? [];
  if (id === undefined || !operations[operation].protected || reply.undocumented) return [];
  if (reply.status === 401 || reply.status >= 429) return [];
  const found = { expected: 401, actual: reply.status, replies: [reply] };
  return [wrong(id, operation, `${reply.credential} should be refused`, found)];
}

/** Whoever is let in at so many operations is let in at all of them: what is closed to a user is refused with 403. */
const doorsMin = 2;

/** A key that the run made, or a token that the same operation or several others accept at another time. */
function ofMember(reply: Reply, operation: OperationId, token: string, tokens: Tokens): readonly Wrong[] {
  if (reply.status !== 401 || !isBare(reply) || !tokens.isLive(token, reply)) return [];
  const isOfSession = tokens.lifeOf(token) === undefined && isSession(tokens.rootOf(token));
  const id = isOfSession ? 'authentication-jwt-accepted' : 'authentication-key-accepted';
  return [
    wrong(id, operation, `${operation} should accept ${reply.credential} whenever it calls`, {
      expected: 'any status but 401',
      actual: 401,
      replies: [reply],
    }),
  ];
}

export function judgeCredentials({ replies }: Story, tokens: Tokens): readonly Wrong[] {
  const nameOf = (reply: Reply): string => `${tokenOf(reply)} ${reply.operation}`;
  const accepted = new Set(replies.filter(wasAccepted).map(nameOf));
  const doors = new Map<string, number>();
  for (const name of accepted) {
    const [token = ''] = name.split(' ');
    doors.set(token, (doors.get(token) ?? 0) + 1);
  }
  return replies.flatMap((reply): readonly Wrong[] => {
    const { operation } = reply;
    if (operation === undefined) return [];
    const token = tokenOf(reply);
    if (token === undefined) return [...ofStranger(reply, operation), ...ofBadToken(reply, operation)];
    if (tokens.rootOf(token) === undefined || reply.credential === 'COVENANT_JWT_EXPIRED')
      return ofBadToken(reply, operation);
    const isKnown = accepted.has(nameOf(reply)) || (doors.get(token) ?? 0) >= doorsMin;
    return isKnown || tokens.lifeOf(token) ? ofMember(reply, operation, token, tokens) : [];
  });
}
