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

/** Deeper than any record; what follows every level would otherwise run out of stack. */
const levelsMax = 200;
/** More than any page of 200 records has; each takes more memory than it has characters. */
const valuesMax = 100_000;
/** What a value takes in memory besides its own text, in bytes, at least. */
const valueWeight = 40;

/** What a reply takes in memory, in bytes: its headers, its text, and once more what was made of it. */
function weightOf({ headers, body }: WireReply, json: unknown, { values }: JsonShape): number {
  const above = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const text = bytesEach(body) * body.length;
  return above + text + (json === undefined ? 0 : text + valueWeight * values);
}

/** Why a body is not read; undefined where it is. */
const whyUnread = ({ levels, values }: JsonShape): string | undefined => {
  if (levels > levelsMax)
    return `a reply of the target is nested more than ${levelsMax} levels deep, which is not read`;
  return values > valuesMax
    ? `a reply of the target holds more than ${valuesMax} values, which is not read`
    : undefined;
};

/** What stands behind a byte order mark is read, as RFC 8259 allows. */
function parse(text: string): unknown {
  try {
    return parseExactly(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** What stands in a body, where it is JSON that is read; what it takes in memory. The same reply is judged again and again, and read once. */
export const readingOf = computedOnce((wire: WireReply) => {
  const { body } = wire;
  const shape = shapeOf(body);
  const unread = whyUnread(shape);
  const json = unread === undefined ? parse(body) : undefined;
  return { unread, json, weight: weightOf(wire, json, shape) };
});

/** Large replies of cases that are over are kept whole until a run holds so much of them, in bytes of memory. */
const heldMax = 96 * 1024 * 1024;
/** So much is held for cases that are under way; what a target sends beyond it is no use to anybody. */
const fullAt = 104 * 1024 * 1024;
/** Of smaller ones a run holds as many as it gets. */
const largeMin = 4 * 1024;
/** From so much on, what is let go is collected soon. */
const muchMin = 16 * 1024 * 1024;
/** Of a large reply that is let go: so many characters of its beginning and of its end. */
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
  /** The reply as it came, and as it was judged. */
  readonly views: Set<Reply>;
}

/** All that a run exchanged: what its verdicts follow from. */
export interface RecordedHistory {
  /** In their order, those in doubt too. */
  readonly replies: readonly Reply[];
  readonly lost: readonly Sent[];
  /** How many replies there were before each request that never got a reply of the target's own. */
  readonly unanswered: ReadonlyMap<Sent, number>;
  /** Absent before the probe has read them. */
  readonly allowances?: Allowances;
  /** The numbers of the replies that were handed on as the target's word: a 429 that was waited out is not. */
  readonly judged: ReadonlySet<number>;
}

export class Recorder {
  readonly replies: Reply[] = [];
  private readonly judged = new Set<number>();
  /** How many replies there were when they were sent first. */
  private readonly underWay = new Map<Sent, number>();
  private readonly repeated = new Set<Sent>();
  private held = 0;
  /** Large replies by their numbers, the oldest first, until they are let go. */
  private readonly large = new Map<number, Large>();
  /** The cases that are over, or all of them. */
  private readonly over = new Set<string>();
  private allOver = false;
  private readonly gone = new Set<Sent>();
  private readonly unread = new Map<Reply, string>();
  private readonly keysSent = new Map<string, number>();
  private readonly onReply: (reply: Reply) => void;
  private readonly onWord: (reply: Reply) => void;

  /** `onWord` gets each reply that is the target's word, once. */
  constructor(onReply: (reply: Reply) => void = () => {}, onWord: (reply: Reply) => void = () => {}) {
    this.onReply = onReply;
    this.onWord = onWord;
  }

  /** Of a reply that turned out to be the target's word, whatever was doubted at first. */
  judge(reply: Reply): void {
    if (this.replies[reply.id - 1]?.doubt !== undefined) this.replies[reply.id - 1] = reply;
    this.large.get(reply.id)?.views.add(reply);
    this.judged.add(reply.id);
    this.onWord(reply);
  }

  /**
   * Before each attempt: a reply can repeat another only where its Idempotency-Key was sent before. Returns how many
   * replies there were before it can have been carried out: a write at its first attempt.
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
   * Requests that at least once got no reply of the target's own, and those whose reply was let go: how often they were
   * carried out, or what they changed, is not known.
   */
  lost(): readonly Sent[] {
    return [...new Set([...this.underWay.keys(), ...this.repeated, ...this.gone])];
  }

  history(allowances?: Allowances): RecordedHistory {
    const { replies, underWay: unanswered, judged } = this;
    return { replies, lost: this.lost(), unanswered, judged, ...defined({ allowances }) };
  }

  /** How often the Idempotency-Key of a request has been sent; 0 where it has none. */
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
    // What the limit refused was not carried out: sent again it is no repetition.
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
   * Lets a reply go at once that is not read, or where the run holds too much for the cases that are under way.
   * @throws Unkept then: nobody can judge what is not kept
   */
  ensureKept(reply: Reply): void {
    const full =
      this.held > fullAt && this.large.has(reply.id)
        ? `the replies of the target are too large to keep: over ${fullAt / 1024 / 1024} MB at a time`
        : undefined;
    // Of a case that has ended meanwhile it is let go as it comes.
    const gone = reply.doubt === tooLarge ? tooLarge : undefined;
    const why = this.unread.get(reply) ?? full ?? gone;
    if (why === undefined) return;
    this.letGo(reply);
    throw new Unkept(why);
  }

  /** A case is over: its large replies are let go as soon as the run holds too much, so that no target uses up the memory. */
  release(owner: string): void {
    this.over.add(owner);
    this.makeRoom();
  }

  /** All is judged: what comes now needs no reply of before. */
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
      if (reply && (this.allOver || this.over.has(reply.owner))) this.letGo(reply);
    }
  }

  private letGo(reply: Reply): void {
    const { weight, views } = this.large.get(reply.id) ?? { weight: 0, views: [reply] };
    this.held -= weight;
    this.large.delete(reply.id);
    this.gone.add(reply.request);
    // Who looks at it later sees half a reply, which proves nothing.
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
 * Before anything else looks at the reply. What a request sent and is no secret by then is none because it is repeated.
 * `tooMany` gets why the run ends, where the target shows more than anybody can keep.
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
