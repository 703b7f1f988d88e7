// Every exchange of a run, in the order of the replies, and a callback for each.
import type { OperationId } from '../catalogue/operations.ts';
import { defined } from '../runtime/defined.ts';
import { collectEarly } from '../runtime/engine.ts';
import { computedOnce } from '../runtime/grouped.ts';
import { sha256 } from '../runtime/text.ts';
import { likeKey, type Secrets, secretsMax } from '../secrets/secrets.ts';
import type { Credential } from './credential.ts';
import { bytesEach, doubtOf, type JsonShape, shapeOf } from './doubt.ts';
import { Unkept } from './errors.ts';
import { parseExactly } from './large-integers.ts';
import type { Allowances } from './limits.ts';
import { dataOf, identifierOf, type Reply, type Sent, walk } from './reply.ts';
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

/** Deeper than any record: recursive functions would otherwise run out of stack. */
const levelsMax = 200;
/** More values than any page of 200 records has; each takes more memory than its text. */
const valuesMax = 100_000;
/** The least memory that a value takes besides its text, in bytes. */
const valueWeight = 40;

/** The memory that a reply takes, in bytes: its headers, its text, and the parsed body. */
function weightOf({ headers, body }: WireReply, json: unknown, { values }: JsonShape): number {
  const above = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const text = bytesEach(body) * body.length;
  return above + text + (json === undefined ? 0 : text + valueWeight * values);
}

/** Why a body is not parsed; undefined if it is. */
const whyUnread = ({ levels, values }: JsonShape): string | undefined => {
  if (levels > levelsMax)
    return `a reply of the target is nested more than ${levelsMax} levels deep, which is not read`;
  return values > valuesMax
    ? `a reply of the target holds more than ${valuesMax} values, which is not read`
    : undefined;
};

/** Skips a byte order mark, as RFC 8259 allows. */
function parse(text: string): unknown {
  try {
    return parseExactly(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** The parsed body and the memory that it takes. Each reply is judged many times, and parsed once. */
export const readingOf = computedOnce((wire: WireReply) => {
  const { body } = wire;
  const shape = shapeOf(body);
  const unread = whyUnread(shape);
  const json = unread === undefined ? parse(body) : undefined;
  return { unread, json, weight: weightOf(wire, json, shape) };
});

/** Large replies of finished cases are kept up to this total, in bytes of memory. */
const heldMax = 96 * 1024 * 1024;
/** The most memory for running cases; nobody needs what a target sends beyond it. */
const fullAt = 104 * 1024 * 1024;
/** Smaller replies are always kept. */
const largeMin = 4 * 1024;
/** If at least this much is dropped, garbage is collected soon. */
const muchMin = 16 * 1024 * 1024;
/** Of a dropped reply, the characters kept of its beginning and of its end. */
const endMax = 512;
const tooLarge = 'the reply was too large to keep';

/** Copied: a slice keeps the whole text in memory. */
function copied(text: string): string {
  const encoding = bytesEach(text) === 1 ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}

function shortened(text: string): string {
  if (text.length <= 2 * endMax) return text;
  const [start, end] = [text.slice(0, endMax), text.slice(-endMax)].map(copied);
  return `${start}… (${text.length} characters, sha256 ${sha256(text)}) …${end}`;
}

interface Large {
  readonly weight: number;
  /** The reply as received, and as judged. */
  readonly views: Set<Reply>;
}

/** All exchanges of a run: its verdicts follow from them. */
export interface RecordedHistory {
  /** In order, suspect ones included. */
  readonly replies: readonly Reply[];
  readonly lost: readonly Sent[];
  /** Requests that the target never answered, and how many replies there were before each. */
  readonly unanswered: ReadonlyMap<Sent, number>;
  /** Absent before the probe has read them. */
  readonly allowances?: Allowances;
  /** The numbers of the replies that count as the target's: not of a 429 that the client waited out. */
  readonly judged: ReadonlySet<number>;
}

export class Recorder {
  readonly replies: Reply[] = [];
  private readonly judged = new Set<number>();
  /** The requests in progress, and how many replies there were when each was first sent. */
  private readonly underWay = new Map<Sent, number>();
  private readonly repeated = new Set<Sent>();
  private held = 0;
  /** Large replies by number, the oldest first, until they are dropped. */
  private readonly large = new Map<number, Large>();
  /** The finished cases. */
  private readonly over = new Set<string>();
  private allOver = false;
  private readonly gone = new Set<Sent>();
  private readonly unread = new Map<Reply, string>();
  private readonly keysSent = new Map<string, number>();
  private readonly onReply: (reply: Reply) => void;
  private readonly onTargetReply: (reply: Reply) => void;

  /** `onTargetReply` gets each reply of the target, once. */
  constructor(onReply: (reply: Reply) => void = () => {}, onTargetReply: (reply: Reply) => void = () => {}) {
    this.onReply = onReply;
    this.onTargetReply = onTargetReply;
  }

  /** Call for a reply that turned out to be the target's, although it was suspect at first. */
  judge(reply: Reply): void {
    if (this.replies[reply.id - 1]?.doubt !== undefined) this.replies[reply.id - 1] = reply;
    this.large.get(reply.id)?.views.add(reply);
    this.judged.add(reply.id);
    this.onTargetReply(reply);
  }

  /**
   * Call before each attempt: a reply can repeat another only if its Idempotency-Key was sent before. Returns how many
   * replies there were when it may first have been carried out: for a write, at its first attempt.
   */
  sending(sent: Sent): number {
    const key = sent.headers['idempotency-key'];
    const first = this.underWay.get(sent);
    if (first !== undefined) this.repeated.add(sent);
    this.underWay.set(sent, first ?? this.replies.length);
    if (key !== undefined) this.keysSent.set(key, (this.keysSent.get(key) ?? 0) + 1);
    return sent.method === 'GET' ? this.replies.length : (first ?? this.replies.length);
  }

  /**
   * Requests that at least once got no reply of the target, or whose reply was dropped: how often they were carried
   * out, or what they changed, is unknown.
   */
  lost(): readonly Sent[] {
    return [...new Set([...this.underWay.keys(), ...this.repeated, ...this.gone])];
  }

  history(allowances?: Allowances): RecordedHistory {
    const { replies, underWay: unanswered, judged } = this;
    return { replies, lost: this.lost(), unanswered, judged, ...defined({ allowances }) };
  }

  /** How often the Idempotency-Key of a request was sent; 0 if it has none. */
  timesSent({ headers }: Sent): number {
    return this.keysSent.get(headers['idempotency-key'] ?? '') ?? 0;
  }

  record({ sent, operation, wire, credential, owner, sentAt, receivedAt, after, undocumented }: Exchange): Reply {
    const mayReplay = this.timesSent(sent) > 1 || undefined;
    const { unread, json, weight } = readingOf(wire);
    const doubt = unread ?? doubtOf({ status: wire.status, text: wire.body, json });
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
    // A request refused by the limit was not carried out: sending it again is no repetition.
    const key = sent.headers['idempotency-key'];
    if (key !== undefined && doubt === undefined && wire.status === 429)
      this.keysSent.set(key, this.timesSent(sent) - 1);
    this.hold(reply, weight);
    if (unread !== undefined) this.unread.set(reply, unread);
    this.replies.push(reply);
    this.onReply(reply);
    return reply;
  }

  /**
   * Drops a reply that is not parsed, or that exceeds the memory for running cases.
   * @throws Unkept then: a reply that is not kept cannot be judged
   */
  ensureKept(reply: Reply): void {
    const full =
      this.held > fullAt && this.large.has(reply.id)
        ? `the replies of the target are too large to keep: over ${fullAt / 1024 / 1024} MB at a time`
        : undefined;
    // The case has ended, so the reply is dropped at once.
    const gone = reply.doubt === tooLarge ? tooLarge : undefined;
    const why = this.unread.get(reply) ?? full ?? gone;
    if (why === undefined) return;
    this.drop(reply);
    throw new Unkept(why);
  }

  /** A case has ended: its large replies are dropped once memory is short, so that no target uses up the memory. */
  release(owner: string): void {
    this.over.add(owner);
    this.makeRoom();
  }

  /** Everything is judged: later replies need no earlier ones. */
  releaseAll(): void {
    this.allOver = true;
    this.makeRoom();
  }

  private hold(reply: Reply, weight: number): void {
    if (weight < largeMin) return;
    this.large.set(reply.id, { weight, views: new Set([reply]) });
    this.held += weight;
    if (this.held > muchMin) collectEarly(weight);
    this.makeRoom();
  }

  private makeRoom(): void {
    for (const { views } of this.large.values()) {
      if (this.held <= heldMax) return;
      const [reply] = views;
      if (reply && (this.allOver || this.over.has(reply.owner))) this.drop(reply);
    }
  }

  private drop(reply: Reply): void {
    const { weight, views } = this.large.get(reply.id) ?? { weight: 0, views: [reply] };
    this.held -= weight;
    this.large.delete(reply.id);
    this.gone.add(reply.request);
    // Later readers see half a reply, which proves nothing.
    const { doubt = tooLarge } = reply;
    const text = shortened(reply.text);
    for (const view of views) Object.assign(view, { text, json: undefined, headers: {}, doubt });
  }
}

const keyMember = /^api_?key$/i;

function tokensIn(reply: Reply): readonly string[] {
  const shown = reply.text.match(likeKey) ?? [];
  if (!/"api_?key"/i.test(reply.text)) return shown;
  const named = walk(reply.json).flatMap(({ path, value }) =>
    typeof value === 'string' && keyMember.test(String(path.at(-1))) ? [value] : [],
  );
  return [...shown, ...named];
}

/**
 * Call before anything else reads the reply. A text that the run itself sent before is no secret. `tooMany` gets the
 * reason to end the run if the target shows too many keys.
 */
export function concealKeys(secrets: Secrets, reply: Reply, tooMany: (why: string) => void): void {
  const { headers, body = '' } = reply.request;
  const wasSent = (token: string) => body.includes(token) || Object.values(headers).some((one) => one.includes(token));
  for (const token of tokensIn(reply)) {
    if (wasSent(token)) continue;
    const id = reply.operation === 'POST /api-keys' ? identifierOf('key', dataOf(reply)) : undefined;
    secrets.add(id === undefined ? `KEY_IN_REPLY_${reply.id}` : `MADE_KEY_${id}`, token);
  }
  if (secrets.areTooMany)
    tooMany(`the replies of the target show more than ${secretsMax} different keys, too many to keep secret`);
}
