// Varies in every request what has no meaning in the document, so that each rule is tried under many circumstances at
// no cost.
import { type OperationId, operations } from '../../catalogue/operations.ts';
import { defined } from '../../runtime/defined.ts';
import { idempotencyKey, type Random } from '../../runtime/random.ts';
import type { Credential } from '../credential.ts';
import { isNamedByRun, textOf } from '../ledger.ts';
import { isObject, type JsonObject } from '../reply.ts';
import type { Call } from '../request.ts';
import { withOptionalMembers } from './values.ts';

/** True once in `count` times. */
const oneIn = (random: Random, count: number): boolean => random.int(1, count) === 1;

/** The same parameters in another order; some clients encode a comma, and others do not. */
const reordered = (query: NonNullable<Call['query']>, random: Random): Call => ({
  query: Object.fromEntries(random.shuffled(Object.entries(query))),
  ...(oneIn(random, 2) ? { bareCommas: true } : {}),
});

/** Values that differ between runs with the same seed. */
const ofTarget = ['company_id', 'cursor', 'api_key', 'slug'];
const ofRun = /Covenant [\da-f]{6}/gi;

/**
 * Reads of the account, and reads and writes of its records; for keys it matters who creates, lists or revokes them.
 */
const allowsEquivalent = (operation: OperationId): boolean =>
  operations[operation].rate === 'read' ? operation !== 'GET /api-keys' : / .(companies|contacts)/.test(operation);

/**
 * A gateway may repeat a request with an Idempotency-Key, and only for notes does the document promise one record: a
 * second API key must be found by its label.
 */
const mayBeRepeated = (operation: OperationId, body: unknown): boolean =>
  operation !== 'POST /api-keys' || isNamedByRun(textOf('key', body));

const accepts = [
  ...(['application/json', 'application/json', 'application/json, text/plain, */*', '*/*'] as const),
  'application/json;q=0.9, */*;q=0.1',
  'application/json, application/problem+json;q=0.5, text/html;q=0.1',
] as const;

/** The configured name, with suffixes of real clients. */
export const originsOf = (name: string): readonly [string, ...string[]] => [
  `${name} (EU), v2.1`,
  `${name}/1.0 +https://example.com`,
  `"${name}" & Sons; 100% nightly`,
];

export class Variation {
  private readonly random: Random;
  private readonly counts = new Map<string, number>();
  /** By the name of the key: the slug that X-Active-Account accepted with it. */
  private readonly accounts = new Map<string, string>();
  /** Equivalent keys, by the name of the key. */
  private readonly equivalents = new Map<string, readonly Credential[]>();
  /** The target accepts a charset in Content-Type. */
  private charset = false;
  /** Accepted names of the calling application. */
  private origins: readonly string[] = [];
  /** Creations that accept optional members that are null, empty or long. */
  private readonly extremes = new Set<OperationId>();
  private readonly decided = new Map<string, boolean>();
  private begun = false;

  constructor(random: Random) {
    this.random = random;
  }

  /** The first requests of a run are sent unchanged. */
  begin(): void {
    this.begun = true;
  }

  acceptsCharset(): void {
    this.charset = true;
  }

  /** What follows the configured name is free text as well (Common request headers). */
  acceptsOrigin(name: string): void {
    this.origins = originsOf(name);
  }

  /** New records of this kind may have optional members that are null, empty or long texts. */
  acceptsExtremes(operation: OperationId): void {
    this.extremes.add(operation);
  }

  acceptsAccount(key: Credential, slug: string): void {
    this.accounts.set(key.name, slug);
  }

  /** Keys of the same user on the same account: they have the same permissions (Authentication, 3). */
  setEquivalents(key: Credential, equivalents: readonly Credential[]): void {
    this.equivalents.set(key.name, equivalents);
  }

  /** The sender of a call: the credential or an equivalent one; the same along a list. */
  senderFor(owner: string, operation: OperationId, credential: Credential, call: Call): Credential {
    const equivalents = this.equivalents.get(credential.name);
    const apart = call.exactly || call.throttle === 'accept' || !allowsEquivalent(operation);
    if (equivalents === undefined || apart || call.headers?.authorization !== undefined) return credential;
    const [child = credential, grandchild = child] = equivalents;
    const inTurn = [credential, child, credential, credential, grandchild, credential] as const;
    return inTurn[this.turnOf(`${owner} speaks`, operation, call) % inTurn.length] ?? credential;
  }

  /** The call as sent; equal calls under one Idempotency-Key stay equal. */
  of(owner: string, operation: OperationId, credential: Credential, call: Call): Call {
    if (!this.begun) return call;
    const name = this.drawingOf(owner, operation, call);
    // Its content matters then, not its form.
    if (call.exactly) return this.rewritten(call, this.random.derive(name));
    const random = this.random.derive(name);
    const headers = this.headers(operation, credential, call, random);
    const body = this.body(operation, call, random, this.hasExtremes(operation, call));
    const query = call.query === undefined ? {} : reordered(call.query, random);
    return { ...call, ...headers, ...body, ...query };
  }

  /** The draw depends on the call and on how often its owner has sent it, not on what one run alone knows. */
  private drawingOf(owner: string, operation: OperationId, { body, text, query, key }: Call): string {
    const keyed = typeof key === 'string';
    // A case may repeat the creation of a shared record under the same key.
    const name = JSON.stringify([keyed ? '' : owner, operation, body ?? text, query], (member, value: unknown) =>
      ofTarget.includes(member) ? null : typeof value === 'string' ? value.replace(ofRun, '') : value,
    );
    if (keyed) return name;
    return `${name} ${body !== undefined && key === null ? this.pairOf(name) : this.counted(name)}`;
  }

  /**
   * The turn, of six. Pages of one list have one sender; a call under an Idempotency-Key may come from any case, so its
   * content decides.
   */
  private turnOf(owner: string, operation: OperationId, call: Call): number {
    if (typeof call.key === 'string') return this.random.derive(this.drawingOf(owner, operation, call)).int(0, 5);
    const name = `${owner} ${operation}`;
    const first = this.random.derive(name).int(0, 5);
    if (call.key === null && call.body !== undefined) return first + this.pairOf(`${name} without a key`);
    return operations[operation].list === undefined ? first + this.counted(name) : first;
  }

  /**
   * Writes without a key come in equal pairs of one caller: a target that takes one for a repetition loses the second.
   */
  private pairOf(name: string): number {
    return Math.ceil(this.counted(name) / 2);
  }

  private counted(name: string): number {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count;
  }

  private headers(operation: OperationId, credential: Credential, call: Call, random: Random): Call {
    const { body, text, key, headers = {} } = call;
    const account = call.account ?? this.accounts.get((credential.root ?? credential).name);
    // A repetition under a key has the Content-Type of the first.
    const labelable = text === undefined ? body !== undefined : typeof key !== 'string';
    const labelled = labelable && this.charset && oneIn(random, 2);
    const given = {
      accept: random.pick(accepts),
      // Validations may be charged to it: it stays constant when a limit is exceeded.
      ...(call.throttle !== 'accept' && oneIn(random, 3) && this.origins.length > 0
        ? { 'x-origin-app': this.origins[random.int(0, this.origins.length - 1)] ?? null }
        : {}),
      ...(labelled
        ? { 'content-type': random.pick(['application/json; charset=utf-8', 'application/json;charset=UTF-8']) }
        : {}),
      ...headers,
    };
    const isWrite = operations[operation].rate === 'write';
    const keyable = isWrite && key === undefined && credential.accounts.length > 0;
    const fresh = keyable && oneIn(random, 2) && mayBeRepeated(operation, body);
    const beside = credential.kind === 'key' && operations[operation].protected && oneIn(random, 2);
    return {
      headers: given,
      ...(fresh ? { key: idempotencyKey(random) } : {}),
      ...(beside ? defined({ account }) : {}),
    };
  }

  /** Decided once for equal calls under one Idempotency-Key. */
  private hasExtremes(operation: OperationId, { key }: Call): boolean {
    const is = this.extremes.has(operation);
    if (typeof key !== 'string') return is;
    const name = `${operation} ${key}`;
    const decided = this.decided.get(name) ?? is;
    this.decided.set(name, decided);
    return decided;
  }

  private rewritten(call: Call, random: Random): Call {
    const { body, text } = call;
    return body === undefined || text !== undefined ? call : { ...call, text: written(body, random) };
  }

  private body(operation: OperationId, { body, text, undocumented }: Call, random: Random, extremes: boolean): Call {
    if (body === undefined || text !== undefined) return {};
    const whole = undocumented ? body : withOptionalMembers(operation, body, { random, extremes });
    return { text: written(whole, random) };
  }
}

/** Reorders the members of every inner object in the same way. */
function ordered(body: JsonObject, random: Random): unknown {
  const way = random.int(1, 3);
  const inOrder = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inOrder);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, one]) => [name, inOrder(one)] as const);
    if (way === 1) entries.reverse();
    if (way === 3) entries.sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries);
  };
  return inOrder(body);
}

/** What looks like a secret stays recognisable as one. */
const isSecret = (token: string): boolean => /svc_sk|eyJ/i.test(token) || /[\w-]{20}/.test(token);

/** The first letter of each name and text as an escape. */
const escaped = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"/g, (token) =>
    isSecret(token)
      ? token
      : token.replace(/^"([A-Za-z])/, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
  );

/** White space of some hundred bytes, or of more than the four thousand of many buffers. */
const padding = (random: Random): string =>
  ' '.repeat(oneIn(random, 2) ? random.int(300, 1500) : random.int(4100, 4600));

/** The body as text: its content follows from the body alone, its form from the seed. */
function written(body: unknown, random: Random): string {
  const plain = JSON.stringify(body);
  if (!isObject(body)) return plain;
  const indent = random.pick([undefined, undefined, 1, 2, '\t']);
  let text = JSON.stringify(ordered(body, random), null, indent);
  if (oneIn(random, 2)) text = escaped(text);
  if (oneIn(random, 6)) text = text.replace(/\}$/, `${padding(random)}}`);
  return oneIn(random, 2) ? `${text}\n` : text;
}
