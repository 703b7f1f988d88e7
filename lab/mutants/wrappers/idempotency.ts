// Wrong stores of what was carried out under an Idempotency-Key: filled too late, or asked for too little.
import { apiPath } from '../../../lib/catalogue/operations.ts';
import type { Handler } from '../../reference/index.ts';
import type { Wrap } from '../mutant.ts';
import { instead, type Json, repetitionOf, rewritten, type Seen } from './mutator.ts';
import { createCompany, createContact, createNote, editNote } from './operations.ts';
import { ask } from './records.ts';

export const withKeys = [createNote, editNote, createCompany, createContact];

export const keyOf = ({ request }: Seen): string | null => request.headers.get('idempotency-key');

/** Milliseconds that a write takes until its reply is stored. */
const writeMs = 30;

/** Asks the store first and fills it last; `late` answers what comes in between. */
export const fillingLast =
  (operations: readonly string[], late: (seen: Seen, others: number) => Promise<Request | Response>): Wrap =>
  (honest, clock) => {
    const stored = new Set<string>();
    const underWay = new Map<string, number>();
    return instead(operations, async (seen, server) => {
      const name = repetitionOf(seen);
      if (name === undefined || stored.has(name)) return undefined;
      const others = underWay.get(name) ?? 0;
      underWay.set(name, others + 1);
      const answer = others === 0 ? seen.request : await late(seen, others);
      if (answer instanceof Response) return answer;
      const response = await server(answer);
      await clock.inside.sleep(writeMs);
      stored.add(name);
      return response;
    })(honest, clock);
  };

interface Store {
  /** What of a request replies are stored under. */
  readonly under: (seen: Seen) => string;
  readonly keeps: (status: number) => boolean;
  /** What the honest server tells apart as well: where it differs, the stored reply is wrong; by default it always is. */
  readonly apart?: (seen: Seen, server: Handler) => string | Promise<string>;
}

export const isOk = (status: number): boolean => status < 300;

/** Replays what another store would not. */
export const storing =
  (operations: readonly string[], { under, keeps, apart }: Store): Wrap =>
  (honest, clock) => {
    const replies = new Map<string, { readonly by: string | undefined; readonly status: number; json: Json }>();
    return instead(operations, async (seen, server) => {
      if (keyOf(seen) === null) return undefined;
      const known = replies.get(under(seen));
      const by = await apart?.(seen, server);
      if (known !== undefined && (by === undefined || known.by !== by)) {
        const me = await ask(server, seen, 'GET', `${apiPath}/me`);
        return me.data === undefined ? undefined : rewritten(Response.json({}), known.json, known.status);
      }
      const response = await server(seen.request.clone());
      const { status } = response;
      if (known === undefined && keeps(status))
        replies.set(under(seen), { by, status, json: (await response.clone().json()) as Json });
      return response;
    })(honest, clock);
  };
