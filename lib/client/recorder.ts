// Every exchange of a run, in the order of the replies, and a callback for each.

import { createHash } from 'node:crypto';
import type { OperationId } from '../catalogue/operations.ts';
import { defined } from '../runtime/defined.ts';
import type { Credential } from './credential.ts';
import { doubtOf } from './doubt.ts';
import { Inconclusive } from './errors.ts';
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
/** Texts so short cannot be nested deeper. */
const flatMax = 2 * levelsMax;

function isTooDeep(text: string): boolean {
  if (text.length <= flatMax) return false;
  let level = 0;
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (part === '[' || part === '{') level += 1;
    else if (part === ']' || part === '}') level -= 1;
    if (level > levelsMax) return true;
  }
  return false;
}

/** A byte order mark is ignored, as RFC 8259 allows. */
function parse(text: string): unknown {
  try {
    const body = text.replace(/^\ufeff/, '');
    return isTooDeep(body) ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Long replies of cases that are over are kept whole until a run holds so many characters of them. */
const heldMax = 24 * 1024 * 1024;
/** So much is held for cases that are under way; what a target sends beyond it is no use to anybody. */
const fullAt = 32 * 1024 * 1024;
const longMin = 16 * 1024;
/** Of a long reply that is let go: so many characters of its beginning and of its end. */
const endMax = 2 * 1024;

/** Copied: a slice keeps the whole text in memory. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

function shortened(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  const [start, end] = [text.slice(0, endMax), text.slice(-endMax)].map(copied);
  return `${start}… (${text.length} characters, sha256 ${digest}) …${end}`;
}

export class Recorder {
  readonly replies: Reply[] = [];
  private readonly underWay = new Set<Sent>();
  private readonly repeated = new Set<Sent>();
  private held = 0;
  private readonly keysSent = new Map<string, number>();
  private readonly onReply: (reply: Reply) => void;
  /** Judges a reply that is the target's word, once. */
  readonly judge: (reply: Reply) => void;

  constructor(onReply: (reply: Reply) => void = () => {}, judge: (reply: Reply) => void = () => {}) {
    this.onReply = onReply;
    this.judge = judge;
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
    const json = parse(wire.body);
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
    if (reply.text.length >= longMin) this.held += reply.text.length;
    this.replies.push(reply);
    this.onReply(reply);
    return reply;
  }

  /**
   * Lets a reply go at once where the run holds too much for the cases that are under way.
   * @throws Inconclusive then: nobody can judge what is not kept
   */
  ensureKept(reply: Reply): void {
    if (this.held <= fullAt || reply.text.length < longMin) return;
    this.letGo(reply);
    throw new Inconclusive(`the replies of the target are too long to keep: over ${fullAt / 1024 / 1024} MB at a time`);
  }

  /** A case is over: its long replies are let go where the run holds too much, so that no target uses up the memory. */
  release(owner: string): void {
    if (this.held <= heldMax) return;
    for (const reply of this.replies) {
      if (reply.owner === owner && reply.text.length >= longMin) this.letGo(reply);
    }
  }

  private letGo(reply: Reply): void {
    this.held -= reply.text.length;
    Object.assign(reply, { text: shortened(reply.text), json: undefined });
  }
}
