// Judges recorded replies in another way than they were judged then: by other suites, some cases only, or with a server's fault put between.
import type { Suite } from '../case.ts';
import type { Sent } from '../client/reply.ts';
import type { Handler } from '../client/transports/handler.ts';
import { NoReply, type Transport } from '../client/transports/transport.ts';
import type { Settings } from '../configuration/settings.ts';
import type { Brief } from '../run/build-report.ts';
import { run } from '../run/run.ts';
import { type VirtualClock, virtualClock } from '../runtime/virtual-clock.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { Header } from './format.ts';
import { questionOf, type RecordedReplies } from './recorded-replies.ts';
import { errorOf } from './replay.ts';

export type Wrap = (recorded: Handler, clock: VirtualClock) => Handler;

export interface Rejudged {
  readonly brief: Brief;
  /** The cases that asked what the record does not answer. */
  readonly unanswered: ReadonlySet<string>;
  /** How many replies came otherwise than they were recorded. */
  readonly changed: number;
  /** The wrapper asked something of its own, which nobody recorded. */
  readonly wanting: boolean;
}

export interface Trial {
  readonly suites: readonly Suite[];
  readonly header: Header;
  readonly replies: RecordedReplies;
  /** Over those of the record. */
  readonly settings?: Partial<Settings>;
  readonly wrap?: Wrap;
}

/** Names the request that a wrapper hands on; no server sees it. */
const mark = 'x-covenant-request';

const bodiless = (method: string): boolean => method === 'GET' || method === 'HEAD';

async function formOf(request: Request): Promise<string> {
  const body = bodiless(request.method) ? '' : await request.clone().text();
  return JSON.stringify([request.method, request.url, [...request.headers], body]);
}

interface Pending {
  readonly sent: Sent;
  readonly owner: string;
  readonly form: string;
}

class Desk {
  readonly unanswered = new Set<string>();
  changed = 0;
  wanting = false;
  readonly transport: Transport;
  private readonly trial: Trial;
  private readonly clock: VirtualClock;
  private readonly secrets: Secrets;
  private readonly used = new Map<string, number>();
  private readonly pending = new Map<string, Pending>();
  private readonly originals = new Map<string, string>();
  private asked = 0;

  constructor(trial: Trial, clock: VirtualClock, secrets: Secrets) {
    this.trial = trial;
    this.clock = clock;
    this.secrets = secrets;
    const recorded: Handler = (request) => this.answer(request);
    const handler = trial.wrap ? trial.wrap(recorded, clock) : recorded;
    this.transport = (sent, { owner = '' }) => clock.during(() => this.send(handler, sent, owner));
  }

  private async send(handler: Handler, sent: Sent, owner: string) {
    this.asked += 1;
    const id = String(this.asked);
    const { method, url, headers, body } = sent;
    const request = new Request(url, { method, headers: { ...headers, [mark]: id }, ...(body ? { body } : {}) });
    this.pending.set(id, { sent, owner, form: await formOf(request) });
    const response = await handler(request).catch((error: unknown) => {
      throw error instanceof NoReply ? error : new NoReply(String(error));
    });
    const text = await response.text();
    const wire = { status: response.status, headers: Object.fromEntries(response.headers), body: text };
    if (this.originals.get(id) !== JSON.stringify([wire.status, wire.headers, text])) this.changed += 1;
    return wire;
  }

  /** What was recorded for exactly this request; a look that is taken again sees what the last one saw. */
  private async answer(request: Request): Promise<Response> {
    const id = request.headers.get(mark) ?? '';
    const pending = this.pending.get(id);
    if (pending === undefined || (await formOf(request)) !== pending.form) {
      this.wanting = true;
      throw new NoReply('this was never asked');
    }
    const { sent, owner } = pending;
    const question = questionOf(owner, this.secrets.redact(JSON.stringify(sent)));
    const answers = this.trial.replies.to(question);
    const used = this.used.get(question) ?? 0;
    const found = answers[used] ?? (bodiless(sent.method) ? answers.at(-1) : undefined);
    if (found === undefined) {
      this.unanswered.add(owner);
      throw new NoReply('this was not asked then');
    }
    this.used.set(question, used + 1);
    await this.clock.inside.sleep(Math.max(0, found.at - this.clock.now()));
    if (!('reply' in found.arrival)) throw errorOf(found.arrival);
    const { status, headers, body } = found.arrival;
    const response = new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
    this.originals.set(id, JSON.stringify([status, Object.fromEntries(response.headers), body]));
    return response;
  }
}

/** Sends nothing; time is that of the record, and waiting takes none. */
export async function rejudge(trial: Trial): Promise<Rejudged> {
  const { suites, header, replies, settings } = trial;
  const clock = virtualClock(replies.startedAt);
  const secrets = new Secrets();
  const desk = new Desk(trial, clock, secrets);
  const { brief } = await run({
    suites,
    target: { ...header.target, credentials: header.credentials },
    settings: { ...header.settings, ...settings },
    transport: desk.transport,
    clock,
    secrets,
    listener: { onNotice: () => {} },
  });
  const { unanswered, changed, wanting } = desk;
  return { brief, unanswered, changed, wanting };
}
