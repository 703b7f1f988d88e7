// Every exchange of a run, in the order of the replies, and a callback for each.

import { createHash } from 'node:crypto';
import type { OperationId } from '../catalogue/operations.ts';
import { defined } from '../runtime/defined.ts';
import type { Credential } from './credential.ts';
import { doubtOf } from './doubt.ts';
import { Inconclusive } from './errors.ts';
import { type JsonShape, shapeOf } from './json-shape.ts';
import type { Reply, Sent } from './reply.ts';
import type { WireReply } from './transports/transport.ts';

interface Exchange {
  readonly sent: Sent;
  readonly operation: OperationId | undefined;
  readonly wire: WireReply;
  readonly credential: Credential;
  readonly owner: string;
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly after: number;
  readonly undocumented: true | undefined;
}

/** Deeper than any record; what follows every level would otherwise run out of stack. */
const levelsMax = 200;
/** More than any page of 200 records has; each takes more memory than it has characters. */
const valuesMax = 100_000;
/** So many characters count like one value: what it takes in memory, at least. */
const valueWeight = 32;

/** A byte order mark is ignored, as RFC 8259 allows. */
function parse(text: string, { levels, values }: JsonShape): unknown {
  try {
    return levels > levelsMax || values > valuesMax ? undefined : JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Large replies of cases that are over are kept whole until a run holds so much of them, in characters and what counts like them. */
const heldMax = 32 * 1024 * 1024;
/** So much is held for cases that are under way; what a target sends beyond it is no use to anybody. */
const fullAt = 40 * 1024 * 1024;
const largeMin = 16 * 1024;
/** Of a large reply that is let go: so many characters of its beginning and of its end. */
const endMax = 2 * 1024;

/** Copied: a slice keeps the whole text in memory. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

function shortened(text: string): string {
  if (text.length <= 2 * endMax) return text;
  const digest = createHash('sha256').update(text).digest('hex');
  const [start, end] = [text.slice(0, endMax), text.slice(-endMax)].map(copied);
  return `${start}… (${text.length} characters, sha256 ${digest}) …${end}`;
}

export class Recorder {
  readonly replies: Reply[] = [];
  private readonly underWay = new Set<Sent>();
  private readonly repeated = new Set<Sent>();
  private held = 0;
  /** What each large reply weighs, until it is let go. */
  private readonly large = new Map<Reply, number>();
  private readonly keysSent = new Map<string, number>();
  private readonly onReply: (reply: Reply) => void;
  private readonly onWord: (reply: Reply) => void;

  /** `onWord` gets each reply that is the target's word, once. */
  constructor(onReply: (reply: Reply) => void = () => {}, onWord: (reply: Reply) => void = () => {}) {
    this.onReply = onReply;
    this.onWord = onWord;
  }

  /** Of a reply that turned out to be the target's word. */
  judge(reply: Reply): void {
    // Another view of one that is held: it is let go with it.
    if (reply.text.length >= largeMin && !this.large.has(reply)) this.large.set(reply, 0);
    this.onWord(reply);
  }

  /**
   * Before each attempt: a reply can repeat another only where its Idempotency-Key was sent before. Returns how many
   * replies there are by now.
   */
  sending(sent: Sent): number {
    const key = sent.headers['idempotency-key'];
    if (this.underWay.has(sent)) this.repeated.add(sent);
    this.underWay.add(sent);
    if (key !== undefined) this.keysSent.set(key, (this.keysSent.get(key) ?? 0) + 1);
    return this.replies.length;
  }

  /** Requests that at least once got no reply of the target's own: how often they were carried out is not known. */
  lost(): readonly Sent[] {
    return [...new Set([...this.underWay, ...this.repeated])];
  }

  /** How often the Idempotency-Key of a request has been sent; 0 where it has none. */
  timesSent({ headers }: Sent): number {
    return this.keysSent.get(headers['idempotency-key'] ?? '') ?? 0;
  }

  record({ sent, operation, wire, credential, owner, sentAt, receivedAt, after, undocumented }: Exchange): Reply {
    const mayReplay = this.timesSent(sent) > 1 || undefined;
    const shape = shapeOf(wire.body);
    const json = parse(wire.body, shape);
    const doubt = doubtOf({ status: wire.status, text: wire.body, json });
    const reply: Reply = {
      id: this.replies.length + 1,
      request: sent,
      credential: credential.name,
      owner,
      sentAt,
      receivedAt,
      after,
      status: wire.status,
      headers: wire.headers,
      text: wire.body,
      json,
      ...defined({ operation, undocumented, mayReplay, doubt }),
    };
    if (doubt === undefined) this.underWay.delete(sent);
    this.hold(reply, wire.body.length + (json === undefined ? 0 : valueWeight * shape.values));
    this.replies.push(reply);
    this.onReply(reply);
    return reply;
  }

  /**
   * Lets a reply go at once where the run holds too much for the cases that are under way.
   * @throws Inconclusive then: nobody can judge what is not kept
   */
  ensureKept(reply: Reply): void {
    if (this.held <= fullAt || !this.large.has(reply)) return;
    this.letGo(reply);
    throw new Inconclusive(
      `the replies of the target are too large to keep: over ${fullAt / 1024 / 1024} MB at a time`,
    );
  }

  /** A case is over: its large replies are let go where the run holds too much, so that no target uses up the memory. */
  release(owner: string): void {
    if (this.held <= heldMax) return;
    for (const reply of [...this.large.keys()]) if (reply.owner === owner) this.letGo(reply);
  }

  private hold(reply: Reply, weight: number): void {
    if (weight < largeMin) return;
    this.large.set(reply, weight);
    this.held += weight;
  }

  private letGo(reply: Reply): void {
    this.held -= this.large.get(reply) ?? 0;
    this.large.delete(reply);
    Object.assign(reply, { text: shortened(reply.text), json: undefined });
  }
}
