// Judges recorded replies in another way than they were judged then: by other suites, some cases only, or with a mutant put between.
import type { Suite } from '../case.ts';
import type { Sent } from '../client/reply.ts';
import type { Handler } from '../client/transports/handler.ts';
import { NoReply, type Transport, type WireReply } from '../client/transports/transport.ts';
import type { Brief } from '../run/build-report.ts';
import { blamedOn } from '../run/refusals.ts';
import { run } from '../run/run.ts';
import { defined } from '../runtime/defined.ts';
import { computedOnce } from '../runtime/once.ts';
import { type VirtualClock, virtualClock } from '../runtime/virtual-clock.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { Arrival, Header } from './format.ts';
import { named } from './named.ts';
import { type Answer, questionOf, type RecordedReplies } from './recorded-replies.ts';
import { errorOf, wireOf } from './replay.ts';

export type Wrap = (recorded: Handler, clock: VirtualClock) => Handler;

export interface Rejudged {
  readonly brief: Brief;
  /** The cases that asked what the record does not answer. */
  readonly unanswered: ReadonlySet<string>;
  /** How many replies came otherwise than they were recorded. */
  readonly changed: number;
  /** Some reply was handed on so much later than it came that its time says nothing any more. */
  readonly late: boolean;
  /** The wrapper asked something of its own, which nobody recorded. */
  readonly wanting: boolean;
  /** The arrivals that were handed on, in this order. */
  readonly used: readonly Used[];
}

export interface Used extends Answer {
  /** As the run sent it, with what stands for its credentials. */
  readonly request: Sent;
  /** The same with their names. */
  readonly sent: Sent;
  readonly owner: string;
}

export interface Trial {
  readonly suites: readonly Suite[];
  readonly header: Header;
  readonly replies: RecordedReplies;
  /**
   * Only these cases ask, by their titles. Where they ask once more than was recorded, or something else, they get what
   * the last question got that is most like it.
   */
  readonly only?: ReadonlySet<string>;
  /** Of these only some requirements are judged. */
  readonly wanted?: ReadonlySet<string>;
  readonly wrap?: Wrap;
  /** What comes in place of an arrival. */
  readonly altered?: ReadonlyMap<Arrival, WireReply>;
  /** Nothing more is asked once one of these has failed. */
  readonly until?: ReadonlySet<string>;
}

/** Two replies so far apart must not carry the same time: in milliseconds. */
const lateMs = 1000;

/** Names the request that a wrapper hands on; no server sees it. */
const mark = 'x-covenant-request';

const bodiless = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** The request as it goes to a server. */
function requestOf({ method, url, headers, body }: Sent, id: string): Request {
  return new Request(url, { method, headers: { ...headers, [mark]: id }, ...(body ? { body } : {}) });
}

async function formOf(request: Request): Promise<string> {
  const body = bodiless(request.method) ? '' : await request.clone().text();
  return JSON.stringify([request.method, request.url, [...request.headers], body]);
}

/** With when it was asked for then. */
const laterWireOf = computedOnce(({ arrival, askedAt }: Answer): WireReply | undefined =>
  'reply' in arrival ? { ...wireOf(arrival), sentAt: askedAt } : undefined,
);

interface Pending {
  readonly request: Request;
  readonly sent: Sent;
  readonly owner: string;
}

/** A recorded reply, and how a wrapper gets it. */
interface Original {
  readonly response: Response;
  readonly wire: WireReply;
}

/** Most wrappers hand on the very request that they got. */
const isUntouched = async (request: Request, { request: own, sent }: Pending, id: string): Promise<boolean> =>
  request === own || (await formOf(request)) === (await formOf(requestOf(sent, id)));

/** Plain tokens only: what is asked here is only compared, and shown to nobody. */
class Tokens {
  private readonly names = new Map<string, string>();
  private byLength: (readonly [token: string, name: string])[] = [];

  add(name: string, value: string): undefined {
    if (this.names.has(value)) return;
    this.names.set(value, name);
    this.byLength = [...this.names].sort(([one], [other]) => other.length - one.length);
  }

  redact(text: string): string {
    let clean = text;
    for (const [token, name] of this.byLength) if (clean.includes(token)) clean = clean.replaceAll(token, `<${name}>`);
    return clean;
  }
}

interface Asking extends Trial {
  /** What these very requests get, whatever was recorded for others like them. */
  readonly known?: ReadonlyMap<Sent, Answer>;
}

class Answers {
  readonly unanswered = new Set<string>();
  changed = 0;
  late = false;
  wanting = false;
  readonly used: Used[] = [];
  readonly transport: Transport;
  private readonly trial: Asking;
  private readonly clock: VirtualClock;
  private readonly tokens: Tokens;
  /** How often each question was asked. */
  private readonly counts = new Map<string, number>();
  private readonly pending = new Map<string, Pending>();
  private readonly originals = new Map<string, Original>();
  private asked = 0;

  constructor(trial: Asking, clock: VirtualClock, tokens: Tokens) {
    this.trial = trial;
    this.clock = clock;
    this.tokens = tokens;
    const recorded: Handler = (request) => this.answer(request);
    const handler = trial.wrap?.(recorded, clock);
    this.transport = (sent, { owner = '' }) =>
      clock.during(() => (handler ? this.through(handler, sent, owner) : this.recorded(sent, owner)));
  }

  /** What was recorded for this request, at the time at which it came. */
  private async recorded(request: Sent, owner: string): Promise<WireReply> {
    const sent = named(request, (text) => this.tokens.redact(text));
    const found = this.trial.known?.get(request) ?? this.found(sent, owner);
    if (found === undefined) {
      this.unanswered.add(owner);
      throw new NoReply('this was not asked then');
    }
    const { arrival, askedAt } = found;
    // Asked alone, a case may come to it sooner.
    const isEarly = this.clock.now() < Math.min(askedAt, found.at);
    this.used.push({ ...found, request, sent, owner });
    await this.clock.inside.sleep(Math.max(0, found.at - this.clock.now()));
    this.late ||= this.clock.now() > found.at + lateMs;
    const instead = this.trial.altered?.get(arrival);
    if (instead) return isEarly ? { ...instead, sentAt: askedAt } : instead;
    if (!('reply' in arrival)) throw errorOf(arrival);
    return (isEarly ? laterWireOf(found) : undefined) ?? wireOf(arrival);
  }

  private found(sent: Sent, owner: string): Answer | undefined {
    const { replies, only } = this.trial;
    const question = questionOf(owner, sent);
    const answers = replies.to(question);
    const count = this.counts.get(question) ?? 0;
    this.counts.set(question, count + 1);
    const found = answers[count];
    const last = answers.at(-1);
    return found || !only ? found : last ? { ...last, at: 0 } : replies.like(owner, sent);
  }

  private async through(handler: Handler, sent: Sent, owner: string): Promise<WireReply> {
    this.asked += 1;
    const id = String(this.asked);
    const request = requestOf(sent, id);
    this.pending.set(id, { request, sent, owner });
    const response = await handler(request).catch((error: unknown) => {
      throw error instanceof NoReply ? error : new NoReply(String(error));
    });
    const original = this.originals.get(id);
    if (response === original?.response) return original.wire;
    this.changed += 1;
    const [status, headers] = [response.status, Object.fromEntries(response.headers)];
    return { status, headers, body: await response.text(), ...defined({ sentAt: original?.wire.sentAt }) };
  }

  private async answer(request: Request): Promise<Response> {
    const id = request.headers.get(mark) ?? '';
    const pending = this.pending.get(id);
    if (pending === undefined || !(await isUntouched(request, pending, id))) {
      this.wanting = true;
      throw new NoReply('this was never asked');
    }
    const wire = await this.recorded(pending.sent, pending.owner);
    const { status, headers, body } = wire;
    const response = new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
    this.originals.set(id, { response, wire });
    return response;
  }
}

/** Whether a wrapper changes a reply to these requests before it asks something of its own: if not, there is nothing new to judge. */
export async function alters(trial: Trial, requests: readonly Used[]): Promise<boolean> {
  const clock = virtualClock(trial.replies.startedAt);
  const known = new Map(requests.map((one) => [one.request, one]));
  const answers = new Answers({ ...trial, known }, clock, new Tokens());
  for (const { request, owner } of requests) {
    await answers.transport(request, { owner, timeoutMs: 0 }).catch(() => undefined);
    if (answers.changed > 0) return true;
    if (answers.wanting) return false;
  }
  return false;
}

/** Sends nothing; time is that of the record, and waiting takes none. */
export async function rejudge(trial: Trial): Promise<Rejudged> {
  const { suites, header, replies, only } = trial;
  const clock = virtualClock(replies.startedAt);
  const tokens = new Tokens();
  const secrets = new Secrets((name, token) => tokens.add(name, token));
  const answers = new Answers(trial, clock, tokens);
  const { until, wanted } = trial;
  const { brief } = await run({
    suites,
    target: { ...header.target, credentials: header.credentials },
    settings: header.settings,
    transport: answers.transport,
    clock,
    secrets,
    wasSent: (owner, body) => replies.wasSent(owner, tokens.redact(body)),
    // What a person reads about the credentials costs requests, and whoever records reads it.
    ...(only ? { only } : { onEvent: () => {} }),
    ...(until && { until }),
    // A refusal is blamed only where nothing else has failed: then all is judged.
    ...(wanted && !wanted.has(blamedOn) && { wanted }),
  });
  const { unanswered, changed, late, wanting, used } = answers;
  return { brief, unanswered, changed, late, wanting, used };
}
