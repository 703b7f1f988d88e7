// Random walk of several actors, steered to cover as many pairs of events as possible; the rules judge the replies.
import {
  type Api,
  anonymous,
  type Call,
  type Credential,
  lagMsMax,
  type OperationId,
  operations,
  type RateClass,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { protectedIds, protectedReads } from '../shared/groups.ts';
import { keyOrNone } from '../shared/optional-headers.ts';
import { trickyCall } from '../shared/tricky-texts.ts';
import { unlessUndecided, unlessUndecidedOrUnkept } from '../shared/unless.ts';
import { Actor, type ActorRole, type Option } from './actor.ts';
import { allowanceOf, Coverage, type CoveredEvent, kindOf } from './coverage.ts';
import { type Caller, Reader } from './reads.ts';

/** How much a walk sends. */
export interface Budget {
  readonly steps: number;
  /** How many companies and contacts it may leave behind. */
  readonly records: number;
  /** No pauses, no validations, and more refused requests. */
  readonly brief?: true;
}

type WalkTools = Pick<Tools, 'api' | 'clock' | 'invalid' | 'limits' | 'make' | 'random'>;
/** Invalid credentials, by kind. */
type Refused = Readonly<Record<string, readonly Credential[]>>;

interface Candidate extends CoveredEvent {
  readonly ask: () => Promise<unknown>;
  /** The rate limit lets it be sent without waiting. */
  readonly atOnce: boolean;
}

type Kind = 'read' | 'write' | 'event' | 'validation' | 'refused';
/** Number of steps for each actor that writes. */
export const stepsEach = { quick: 0, standard: 22, thorough: 90 } as const;
/** Percentage of steps of each kind, in a brief walk and in a long one. */
const shares: Readonly<Record<Kind, readonly [brief: number, long: number]>> = {
  read: [43, 52],
  write: [22, 30],
  event: [10, 5],
  validation: [0, 1],
  refused: [25, 12],
};
/** Writes that are rarely possible and that other requests should follow. */
const events: readonly string[] = ['a switch', 'a replay', 'a revocation'];

/** Number of candidates drawn for each step. */
const candidatesMax = 12;
/** One step in `pauseEvery` is a pause, at most `pauseMsMax` ms longer than the lag of lists; then come reads. */
const pauseEvery = 150;
const pauseMsMax = 2_000;
const readsAfterPause = 20;

/** Takes the steps one after the other, so that each has a predecessor. */
export async function randomWalk(
  roles: readonly ActorRole[],
  budget: Budget,
  refused: Refused,
  tools: WalkTools,
): Promise<void> {
  const { clock, random } = tools;
  if (budget.steps === 0) return;
  const coverage = new Coverage();
  const observed = (api: Api): Api => afterEach(api, (reply) => coverage.observe(reply));
  const left = { records: budget.records };
  const actors: Actor[] = [];
  for (const role of roles) {
    const caller = role.caller && { ...role.caller, api: observed(role.caller.api) };
    actors.push(new Actor(caller ? { ...role, caller } : role, actors, left, tools));
  }
  const candidates = new Candidates(actors, refused, { ...tools, api: observed(tools.api) });
  const act = async (kind: Kind): Promise<void> => {
    const drawn = candidates.draw(kind);
    const free = drawn.filter(({ atOnce }) => atOnce);
    // Read rather than wait for the rate limit.
    const reads = free.length > 0 || budget.brief ? [] : candidates.draw('read').filter(({ atOnce }) => atOnce);
    const next = coverage.leastCovered([free, reads].find(({ length }) => length > 0) ?? drawn);
    if (next === undefined) return;
    coverage.count(next);
    await next.ask();
  };
  const kindsByShare = Object.entries(shares).flatMap(([kind, [brief, long]]) =>
    Array<Kind>(budget.brief ? brief : long).fill(kind as Kind),
  );

  for (let step = 0; step < budget.steps; step += 1) {
    if (budget.brief || random.int(1, pauseEvery) > 1) {
      await unlessUndecidedOrUnkept(act(kindsByShare[random.int(0, kindsByShare.length - 1)] ?? 'read'));
      continue;
    }
    coverage.pause();
    await clock.sleep(lagMsMax + random.int(1, pauseMsMax));
    // Lists no longer lag, so that they are judged to the last record.
    for (let read = 0; read < readsAfterPause; read += 1) await unlessUndecidedOrUnkept(act('read'));
  }
  for (const actor of actors.reverse()) await unlessUndecided(actor.end());
}

/** An api that calls `act` after each reply, also after those to other credentials. */
const afterEach = (api: Api, act: (reply: Reply) => unknown): Api => ({
  credential: api.credential,
  as: (credential) => afterEach(api.as(credential), act),
  route: (method, path, call) => api.route(method, path, call),
  send: async (operation, call) => {
    const reply = await api.send(operation, call);
    await act(reply);
    return reply;
  },
});

/** Draws requests that may be sent next. */
class Candidates {
  private readonly actors: readonly Actor[];
  private readonly refused: Refused;
  private readonly tools: WalkTools;
  private readonly reader: Reader;
  private readonly allowance: ReturnType<typeof allowanceOf>;
  private last: Actor | undefined;

  constructor(actors: readonly Actor[], refused: Refused, tools: WalkTools) {
    this.actors = actors;
    this.refused = refused;
    this.tools = tools;
    this.reader = new Reader(tools.random);
    this.allowance = allowanceOf(tools);
  }

  draw(kind: Kind): readonly Candidate[] {
    return Array.from({ length: candidatesMax }, () => this.drawOne(kind)).flatMap((one) => one ?? []);
  }

  /** One in three is of the actor that had the last step. */
  private drawOne(kind: Kind): Candidate | undefined {
    const { random } = this.tools;
    const [other] = random.shuffled(this.actors);
    const actor = random.int(1, 3) === 1 ? (this.last ?? other) : other;
    if (actor === undefined) return undefined;
    if (kind === 'refused') return this.refusedOne(actor);
    if (kind === 'read') return this.readOf(actor);
    if (kind === 'validation') return this.of(actor, 'validate', oneOf(actor.validations(), random));
    const writes = actor.writes().filter(([what]) => kind === 'write' || events.includes(kindOf(what)));
    return this.of(actor, 'write', oneOf(writes, random), keyOrNone(random));
  }

  private readOf(actor: Actor): Candidate | undefined {
    const { caller, company, role } = actor;
    const { random } = this.tools;
    const reads = caller ? this.reader.all(caller, company) : [];
    const options = reads.map((one): Option => [one.what, (by) => this.reader.read(by, one)]);
    return this.of(actor, 'read', oneOf(options, random), random.shuffled(role.optionalHeaders ?? [])[0]);
  }

  private of(actor: Actor, rate: RateClass, option: Option | undefined, headers: Call = {}): Candidate | undefined {
    // An actor that waits for a new key has no headers.
    const caller: Caller = actor.caller ?? { api: this.tools.api };
    const { credential } = caller.api;
    const under = { ...caller.under, ...headers };
    return (
      option && {
        what: option[0],
        actor: actor.name,
        credential: credential.name,
        headers: [
          ...(rate === 'write' ? [under.key ? 'with a key' : 'without a key'] : []),
          under.account === undefined ? 'under no account' : 'under an account',
        ],
        atOnce: this.allowance.has(credential, rate),
        ask: () => {
          this.last = actor;
          this.allowance.spend(credential, rate);
          return option[1]({ ...caller, under });
        },
      }
    );
  }

  /** With an invalid credential: a read, or a write that the actor might send. */
  private refusedOne(actor: Actor): Candidate {
    const { random, api, make } = this.tools;
    const { revoked = [], ...others } = this.refused;
    const all = { ...others, revoked: [...revoked, ...this.actors.flatMap((one) => one.revoked())] };
    const [[kind, some] = ['', []]] = random.shuffled(Object.entries(all));
    const [credential = anonymous] = random.shuffled(some);
    // Only a session has an account to switch to.
    const session = this.actors.find(({ role }) => role.activeAccount !== undefined);
    const callOf = (one: OperationId, mark: string) => actor.callOf(one, mark) ?? session?.callOf(one, mark);
    const known = protectedIds.filter((one) => callOf(one, '') !== undefined);
    const [operation = 'GET /me'] = random.shuffled(credential.kind === 'none' ? protectedReads : known);
    const ask = () => {
      const key = operations[operation].rate === 'write' ? keyOrNone(random) : {};
      const call = { ...callOf(operation, make.name('refused')), ...key };
      const whole = random.int(1, 2) === 1 ? call : trickyCall(operation, call, random);
      return api.as(credential).send(operation, whole);
    };
    return { what: `${operation}, refused`, actor: kind, credential: credential.name, headers: [], atOnce: true, ask };
  }
}

/** Draws the kind first, so that a kind with many variants is not drawn more often. */
function oneOf(options: readonly Option[], random: Tools['random']): Option | undefined {
  const [drawn] = random.shuffled([...new Set(options.map(([what]) => kindOf(what)))]);
  return random.shuffled(options.filter(([what]) => kindOf(what) === drawn))[0];
}
