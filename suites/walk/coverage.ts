// Pair coverage of the random walk: chooses the request whose pairs are rarest, among those that need not wait.
import {
  type Credential,
  defaultLimits,
  deleteNote,
  idempotencyKeyOf,
  type RateClass,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';

/** A request that may be sent next. */
export interface CoveredEvent {
  /** Kind of request and expected outcome; the variant after a colon. */
  readonly what: string;
  /** The actor that sends it. */
  readonly actor: string;
  /** The name of its credential: actors may share one. */
  readonly credential: string;
  /** Its optional headers. */
  readonly headers: readonly string[];
}

export const kindOf = (what: string): string => what.replace(/:.*/, '');

/** Number of past requests that form pairs with the next one. */
const spanMax = 3;

export class Coverage {
  /** How often each request was sent by each actor, with each optional header, and after each event. */
  private readonly counts = new Map<string, number>();
  private readonly usedKeys = new Set<string>();
  /** Latest first. */
  private past: readonly { readonly credential: string; readonly kind: string }[] = [];

  /** The request whose pairs were counted least; the first of equals. */
  leastCovered<T extends CoveredEvent>(all: readonly T[]): T | undefined {
    const scores = all.map((one) =>
      this.pairsOf(one).reduce((sum, pair) => sum + 1 / (1 + (this.counts.get(pair) ?? 0)) ** 2, 0),
    );
    return all[scores.indexOf(Math.max(...scores))];
  }

  count(one: CoveredEvent): void {
    for (const pair of this.pairsOf(one)) this.counts.set(pair, (this.counts.get(pair) ?? 0) + 1);
  }

  /** To be called after each reply. */
  observe(reply: Reply): void {
    this.addEvent(reply.credential, this.eventOf(reply));
    const key = idempotencyKeyOf(reply);
    if (key !== undefined && wasAccepted(reply)) this.usedKeys.add(key);
  }

  /** To be called after each pause: the next request reaches an idle server. */
  pause(): void {
    this.addEvent('', 'a pause');
  }

  private addEvent(credential: string, kind: string): void {
    this.past = [{ credential, kind }, ...this.past].slice(0, spanMax);
  }

  private pairsOf({ what, actor, credential, headers }: CoveredEvent): readonly string[] {
    const before = this.past.flatMap((event, place) => {
      const kinds = event.credential === credential ? [event.kind, `its own ${event.kind}`] : [event.kind];
      return kinds.flatMap((kind) => [`soon after ${kind}`, ...(place === 0 ? [`right after ${kind}`] : [])]);
    });
    const all = [...new Set([`by ${actor}`, ...headers, ...before])];
    return [...new Set([what, kindOf(what)])].flatMap((one) => all.map((other) => `${one} ${other}`));
  }

  private eventOf(reply: Reply): string {
    const { operation, request, status } = reply;
    if (status === 401) return 'a refused token';
    if (request.method === 'GET') return 'a read';
    if (!wasAccepted(reply)) return 'a refused write';
    if (this.usedKeys.has(idempotencyKeyOf(reply) ?? '')) return 'a replay';
    if (operation === 'POST /auth/validate-api-key') return 'a validation';
    if (operation === 'PATCH /me/active-account') return 'a switch';
    if (request.method === 'DELETE') return operation === deleteNote ? 'a deletion' : 'a revocation';
    return request.method === 'PATCH' ? 'an edit' : 'a creation';
  }
}

/** Which accounts may send a request of a class in this minute, so that no step waits while others could go on. */
export function allowanceOf({ clock, limits }: Pick<Tools, 'clock' | 'limits'>) {
  /** When the requests of the last minute were sent, by class and account; validations are limited for the whole client. */
  const sent = new Map<string, readonly number[]>();
  const recent = (name: string): readonly number[] =>
    (sent.get(name) ?? []).filter((at) => at > clock.now() - limits.minuteMs);
  return {
    has: (credential: Credential, rate: RateClass): boolean => {
      // A profile is about its account and need not report how many validations the client may send.
      const other = rate === 'validate' ? defaultLimits.validate : Number.POSITIVE_INFINITY;
      return recent(nameOf(credential, rate)).length < (limits.reported(credential, rate) ?? other);
    },
    spend: (credential: Credential, rate: RateClass): void => {
      const name = nameOf(credential, rate);
      sent.set(name, [...recent(name), clock.now()]);
    },
  };
}

const nameOf = ({ accounts }: Credential, rate: RateClass): string =>
  rate === 'validate' ? rate : `${rate} ${accounts.join(' ')}`;
