// The core: a function from calls to replies, over a world.
import { checkOrigin, identify, settleAccount } from './auth.ts';
import { charge, chargeAccount } from './charge.ts';
import { checkMedia } from './checks.ts';
import type { Choices } from './choices.ts';
import { breathe } from './clock.ts';
import { entryName, isSameRequest, keyOf, meetOther, printOf, requestOf } from './idempotency.ts';
import type { Entry } from './idempotency-store.ts';
import { Printer } from './print.ts';
import { type Outcome, Refusal, type Reply, refuse } from './refusal.ts';
import { type Found, Router } from './router.ts';
import { accountOf, type Call, type IdempotencyUse, type Operation, Query, scopesOf, type Visit } from './visit.ts';
import type { World } from './world.ts';

const NO_QUERY: readonly string[] = [];

export class Core {
  readonly #world: World;
  readonly #printer: Printer;
  readonly #router: Router;
  readonly #steps: readonly Step[];

  constructor(world: World) {
    this.#world = world;
    this.#printer = new Printer(world);
    this.#router = new Router(world.choices);
    this.#steps = stepsOf(world.choices);
  }

  async serve(call: Call): Promise<Reply> {
    const now = this.#world.now();
    const held: { visit?: Visit } = {};
    try {
      const reply = await this.#enter(call, now, held);
      return call.method === 'HEAD' ? { ...reply, text: '' } : reply;
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const reply = this.#printer.refusal(call, now, thrown, held.visit);
      return call.method === 'HEAD' ? { ...reply, text: '' } : reply;
    }
  }

  #enter(call: Call, now: number, held: { visit?: Visit }): Reply | Promise<Reply> {
    const found = this.#router.find(call.path);
    if (found === undefined) return this.#unknownPath(call, now);
    const { headMethod } = this.#world.choices;
    const method = call.method === 'HEAD' && headMethod === 'as-get' ? 'GET' : call.method;
    const operation = found.operations.get(method);
    if (operation === undefined) return this.#unknownMethod(call, now, found);
    const visit = this.#visit(call, now, operation, found.ids);
    held.visit = visit;
    return found.isPublic ? this.#servePublic(visit) : this.#servePrivate(visit);
  }

  #visit(call: Call, now: number, operation: Operation, ids: readonly string[]): Visit {
    const { choices } = this.#world;
    return {
      world: this.#world,
      choices,
      call,
      operation,
      ids,
      query: new Query('', NO_QUERY, choices),
      now,
      caller: undefined,
      account: null,
      membership: null,
      meter: undefined,
      charged: false,
      target: undefined,
      input: undefined,
    };
  }

  #unknownPath(call: Call, now: number): never {
    if (this.#world.choices.unknownPathOrder === 'auth-first') identify(this.#world, call, now);
    return refuse(404, 'not_found', 'There is nothing at this path.');
  }

  #unknownMethod(call: Call, now: number, found: Found): Reply {
    const { choices } = this.#world;
    const allowed = [...found.operations.keys()].join(', ');
    if (call.method === 'OPTIONS' && choices.optionsMethod === 'answered') {
      const operation = found.operations.values().next().value;
      if (operation === undefined) return refuse(404, 'not_found', 'There is nothing at this path.');
      const outcome = { status: 200, data: { methods: [...found.operations.keys()] }, headers: { Allow: allowed } };
      return this.#printer.success(this.#visit(call, now, operation, found.ids), outcome);
    }
    if (choices.unknownMethodOrder === 'late' && !found.isPublic) identify(this.#world, call, now);
    const headers: Record<string, string> = choices.allowHeader === 'listed' ? { Allow: allowed } : {};
    throw new Refusal(
      this.#methodStatus(call.method),
      'method_not_allowed',
      'This method is not available here.',
      undefined,
      headers,
    );
  }

  #methodStatus(method: string): number {
    const { headMethod, optionsMethod, unknownMethod } = this.#world.choices;
    if (method === 'HEAD') return headMethod === '404' ? 404 : 405;
    if (method === 'OPTIONS') return optionsMethod === '404' ? 404 : 405;
    return Number(unknownMethod);
  }

  #servePublic(visit: Visit): Reply {
    const { choices, call, operation } = visit;
    if (choices.originOnPublic === 'asked') checkOrigin(choices, call);
    if (operation.kind === 'health' && choices.healthCharge === 'everyone') charge(visit, 'everyone', 'read');
    visit.query = new Query(call.query, NO_QUERY, choices);
    if (operation.method === 'POST') checkMedia(visit);
    return this.#printer.success(visit, act(visit));
  }

  #servePrivate(visit: Visit): Reply | Promise<Reply> {
    const { choices, call, operation, world, now } = visit;
    if (choices.originOrder === 'before-auth') checkOrigin(choices, call);
    visit.caller = identify(world, call, now);
    if (choices.originOrder === 'after-auth') checkOrigin(choices, call);
    settleAccount(visit);
    if (choices.ratePosition === 'after-auth') chargeAccount(visit);
    visit.query = new Query(call.query, operation.query ?? NO_QUERY, choices);
    const use = operation.idempotency?.(choices) ?? 'ignored';
    const key = use === 'ignored' ? undefined : keyOf(visit);
    if (key === undefined) {
      takeSteps(this.#steps, visit);
      return this.#printer.success(visit, act(visit));
    }
    return this.#once(visit, use, entryName(visit, key));
  }

  #once(visit: Visit, use: IdempotencyUse, name: string): Reply | Promise<Reply> {
    const { choices, world, now } = visit;
    const late = choices.idemPosition === 'late' && visit.operation.method !== 'DELETE';
    if (late) takeSteps(this.#steps, visit);
    const known = world.idempotency.find(name, now, choices.idemEdge);
    if (known !== undefined) return this.#repeat(visit, known, use, () => this.#once(visit, use, name));
    const entry = world.idempotency.open(name, requestOf(visit), printOf(visit), visit.now);
    const first = (): Reply => this.#first(visit, entry, name, late);
    return choices.idemConcurrent === 'serial' ? first() : this.#slowly(entry, first);
  }

  /** Gives repeats a chance to arrive while the first request is under way. */
  async #slowly(entry: Entry, first: () => Reply): Promise<Reply> {
    const gate: { open: () => void } = { open: () => undefined };
    entry.pending = new Promise((resolve) => {
      gate.open = resolve;
    });
    try {
      await breathe();
      return first();
    } finally {
      entry.pending = null;
      gate.open();
    }
  }

  #first(visit: Visit, entry: Entry, name: string, late: boolean): Reply {
    try {
      if (!late) takeSteps(this.#steps, visit);
      entry.outcome = act(visit);
      entry.reply = this.#printer.success(visit, entry.outcome);
      return entry.reply;
    } catch (thrown) {
      const kept = thrown instanceof Refusal && thrown.status !== 429 && visit.choices.idemErrors === 'refusals-too';
      if (kept) entry.refusal = thrown;
      else visit.world.idempotency.drop(name);
      throw thrown;
    }
  }

  #repeat(
    visit: Visit,
    entry: Entry,
    use: IdempotencyUse,
    retry: () => Reply | Promise<Reply>,
  ): Reply | Promise<Reply> {
    const { choices } = visit;
    if (!isSameRequest(entry, visit)) meetOther(entry, visit);
    if (entry.pending !== null) {
      if (choices.idemConcurrent === 'wait') return entry.pending.then(retry);
      refuse(409, 'idempotency_conflict', 'The first request under this Idempotency-Key is still under way.');
    }
    if (choices.replayCharge === 'counted') chargeAccount(visit);
    if (entry.refusal !== undefined) throw entry.refusal;
    const { outcome, reply } = entry;
    const how = use === 'same-reply' ? 'stored-reply' : choices.idemReplay;
    if (outcome === undefined || reply === undefined || use === 'conflict' || how === '409') {
      return refuse(409, 'idempotency_conflict', 'The request under this Idempotency-Key was already carried out.');
    }
    return this.#replay(visit, outcome, reply, how);
  }

  #replay(
    visit: Visit,
    outcome: Outcome,
    reply: Reply,
    how: 'stored-reply' | 'fresh-envelope' | 'current-record',
  ): Reply {
    const { idemReplayHeader, idemReplayStatus } = visit.choices;
    const mark: Record<string, string> = idemReplayHeader === 'none' ? {} : { [idemReplayHeader]: 'true' };
    const status = idemReplayStatus === '200' ? 200 : outcome.status;
    if (how === 'stored-reply') return { ...reply, status, headers: { ...reply.headers, ...mark } };
    const data = how === 'current-record' ? (outcome.again?.() ?? outcome.data) : outcome.data;
    return this.#printer.success(visit, { ...outcome, status, data, headers: { ...outcome.headers, ...mark } });
  }
}

const act = (visit: Visit): Outcome => visit.operation.act(visit, visit.target, visit.input);

type Step = (visit: Visit) => void;

function stepsOf(choices: Choices): readonly Step[] {
  const locate: Step = (visit) => {
    visit.target = visit.operation.locate?.(visit);
  };
  const found = choices.checkBody === 'existence-first' ? [locate, readStep(choices)] : [readStep(choices), locate];
  const permit = choices.ratePosition === 'after-permission' ? [permitStep, chargeStep] : [permitStep];
  const checked = choices.checkPermission === 'first' ? [...permit, ...found] : [...found, ...permit];
  const entry: Step[] = choices.noAccountOrder === 'scope-first' ? [scopeStep, accountStep] : [accountStep, scopeStep];
  const media: Step[] = choices.mediaPosition === 'early' ? [mediaStep] : [];
  const last: Step[] = choices.ratePosition === 'before-action' ? [chargeStep] : [];
  return [...entry, ...media, ...checked, ...last];
}

function takeSteps(steps: readonly Step[], visit: Visit): void {
  for (const step of steps) step(visit);
}

const permitStep: Step = (visit) => visit.operation.permit?.(visit);

const chargeStep: Step = (visit) => chargeAccount(visit);

const accountStep: Step = (visit) => {
  if (visit.operation.needsAccount !== false) accountOf(visit);
};

const scopeStep: Step = (visit) => {
  const scope = visit.operation.scope?.(visit.choices) ?? null;
  if (scope === null || scopesOf(visit).includes(scope)) return;
  refuse(403, 'missing_scope', `The token lacks the scope ${scope}.`);
};

const mediaStep: Step = (visit) => {
  if (visit.operation.method === 'POST' || visit.operation.method === 'PATCH') checkMedia(visit);
};

function readStep(choices: Choices): Step {
  return (visit) => {
    if (visit.operation.read === undefined) return;
    if (choices.mediaPosition === 'with-body') mediaStep(visit);
    visit.input = visit.operation.read(visit);
  };
}
