// The scopes in the document, and whether a credential has them.
import { type Api, type Call, type Reply, walk } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';

const probes = [
  ['billing:read', 'GET /billing/summary'],
  ['billing:read', 'GET /billing/credits/balance'],
  ['account:read', 'GET /me/team-accounts'],
] as const;
export type Scope = (typeof probes)[number][0];

export interface ScopeProbe {
  readonly scope: Scope;
  /** The reply of the operation that needs the scope. */
  readonly reply: Reply;
  readonly opened: boolean;
  /** Refused with 403. If neither opened nor closed, nothing is known. */
  readonly closed: boolean;
}

/** Sends each operation that needs a scope. */
export async function probeScopes(api: Api, call: Call = {}): Promise<ScopeProbe[]> {
  const found: ScopeProbe[] = [];
  for (const [scope, operation] of probes) {
    const reply = await api.send(operation, call);
    found.push({ scope, reply, opened: wasAccepted(reply), closed: reply.status === 403 });
  }
  return found;
}

/** A scope is named by a text that contains it as a word, or by a member of that name that is not false or null. */
export const namesScope = (data: unknown, scope: string): boolean =>
  walk(data).some(
    ({ path, value }) =>
      (typeof value === 'string' && value.split(/[^\w:.-]+/).includes(scope)) ||
      (path.at(-1) === scope && value !== false && value !== null),
  );
