// What the random walk has covered: each kind of request with who sends it, what stands beside, and what went just before.
import { deleteNote, idempotencyKeyOf, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';

/** A request that may be sent next. */
export interface CoveredEvent {
  /** What is asked, and which answer it aims at; behind a colon, which of its kind. */
  readonly what: string;
  /** The actor that sends it. */
  readonly who: string;
  /** The credential's name: actors may share one. */
  readonly voice: string;
  /** What the request has beside that. */
  readonly beside: readonly string[];
}

interface Event {
  readonly voice: string;
  readonly kind: string;
}

/** So many requests count as just before. */
const spanMax = 3;
/** Three at once are too many to be met all: they only decide between equals. */
const shareOfThree = 0.25;

const rarityMax = 3;

const leading = ({ what, who }: CoveredEvent): string => `${what} by ${who}`;

export class Coverage {
  private readonly counts = new Map<string, number>();
  /** How often each kind of event came about, and which one each request led to when it was sent last. */
  private readonly events = new Map<string, number>();
  private readonly led = new Map<string, string>();
  private sent: string | undefined;
  private readonly usedKeys = new Set<string>();
  /** The last one first. */
  private past: readonly Event[] = [];

  /** The one that brings about most of what was met least; the first of equals. */
  rarest<T extends CoveredEvent>(all: readonly T[]): T | undefined {
    const [first, ...others] = all.map((one) => ({ one, worth: this.worthOf(one) }));
    return others.reduce((best, next) => (best && next.worth <= best.worth ? best : next), first)?.one;
  }

  meet(one: CoveredEvent): void {
    this.sent = leading(one);
    for (const name of [...this.pairsOf(one), ...this.threesOf(one)]) this.counts.set(name, this.countOf(name) + 1);
  }

  /** To be called after each reply. */
  heard(reply: Reply): void {
    const kind = this.kindOf(reply);
    this.events.set(kind, (this.events.get(kind) ?? 0) + 1);
    if (this.sent !== undefined) this.led.set(this.sent, kind);
    this.past = [{ voice: reply.credential, kind }, ...this.past].slice(0, spanMax);
    const key = idempotencyKeyOf(reply);
    if (key !== undefined && wasAccepted(reply)) this.usedKeys.add(key);
  }

  /** To be called after each pause: whatever follows comes to a server that was idle. */
  paused(): void {
    this.past = [{ voice: '', kind: 'a pause' }, ...this.past].slice(0, spanMax);
  }

  private worthOf(one: CoveredEvent): number {
    const sum = (names: readonly string[]) => names.reduce((all, name) => all + 1 / (1 + this.countOf(name)) ** 2, 0);
    return this.rarityOf(one) * (sum(this.pairsOf(one)) + shareOfThree * sum(this.threesOf(one)));
  }

  /** Nothing can come after what does not come about: what it leads to is worth the more the seldomer it was. */
  private rarityOf(one: CoveredEvent): number {
    const kind = this.led.get(leading(one));
    if (kind === undefined) return rarityMax;
    const all = [...this.events.values()];
    const mean = all.reduce((sum, count) => sum + count, 0) / all.length;
    return Math.min(rarityMax, mean / (this.events.get(kind) ?? 1));
  }

  private countOf(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  private pairsOf({ what, who, voice, beside }: CoveredEvent): readonly string[] {
    const own = (event: Event): boolean => event.voice === voice;
    const [last] = this.past;
    const before = [
      ...(last ? [`right after ${last.kind}`] : []),
      ...(last && own(last) ? [`right after its own ${last.kind}`] : []),
      ...this.past.map(({ kind }) => `soon after ${kind}`),
      ...this.past.filter(own).map(({ kind }) => `soon after its own ${kind}`),
    ];
    const [kind = what] = what.split(':');
    const all = [...new Set([`by ${who}`, ...beside, ...before])];
    return [...new Set([what, kind])].flatMap((one) => all.map((other) => `${one} ${other}`));
  }

  private threesOf({ what, who }: CoveredEvent): readonly string[] {
    const [last] = this.past;
    return last ? [`${what} by ${who} right after ${last.kind}`] : [];
  }

  private kindOf(reply: Reply): string {
    const { operation = '', request, status } = reply;
    const { method } = request;
    if (status === 401) return 'a refused token';
    if (method === 'GET') return 'a read';
    if (!wasAccepted(reply)) return 'a refused write';
    if (this.usedKeys.has(idempotencyKeyOf(reply) ?? '')) return 'a replay';
    if (operation === 'POST /auth/validate-api-key') return 'a validation';
    if (operation === 'PATCH /me/active-account') return 'a switch';
    if (method === 'DELETE') return operation === deleteNote ? 'a deletion' : 'a revocation';
    return method === 'PATCH' ? 'an edit' : 'a creation';
  }
}
