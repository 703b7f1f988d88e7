// The random walk: actors read, write and are refused in turn, in an order drawn from the seed that brings together what has not
// yet followed each other. What they are answered the rules judge.
import {
  type Api,
  anonymous,
  type Credential,
  lagMsMax,
  listNotes,
  type OperationId,
  operations,
  type Tools,
} from '../../lib/index.ts';
import { orLost, orPassedOver } from '../shared/attempt.ts';
import { collections, plainReads, protectedIds, protectedReads } from '../shared/groups.ts';
import { keyOrNone } from '../shared/optional-headers.ts';
import { trickyCall } from '../shared/tricky-texts.ts';
import { Actor, type ActorRole } from './actor.ts';
import { Allowance } from './allowance.ts';
import { afterEach, type Caller } from './caller.ts';
import { Coverage, type CoveredEvent } from './coverage.ts';
import { NextPages } from './list-reads.ts';
import type { Option, Room } from './note-actions.ts';
import { fieldsOf, sorts } from './sample-reads.ts';
import { unknownId } from './write-actions.ts';

export interface Way {
  readonly steps: number;
  /** So many companies and contacts it may leave behind. */
  readonly newcomers: number;
  /** It pauses nowhere, validates nothing and writes half of the time. */
  readonly short?: true;
  /** Whom nobody lets in, by kinds. */
  readonly strangers: Readonly<Record<string, readonly Credential[]>>;
}

type WalkTools = Pick<Tools, 'api' | 'clock' | 'invalid' | 'limits' | 'make' | 'random'>;

interface Candidate extends CoveredEvent {
  readonly ask: () => Promise<unknown>;
  /** It can be sent without waiting for room. */
  readonly atOnce: boolean;
}
/** What each kind of request is counted as. */
const rates = { read: 'read', write: 'write', event: 'write', validation: 'validate' } as const;
/** By one of the actors, or by somebody whom nobody lets in. */
type Kind = keyof typeof rates | 'stranger';

const familyOf = ({ what }: Option): string => what.replace(/:.*/, '');
/** Writes that are seldom possible, and after which anything may be asked. */
const events: readonly string[] = ['a switch', 'a replay', 'a revocation'];

/** So many are drawn for each step. */
const candidatesMax = 12;
/** So long is a pause at most, in milliseconds beyond what lists may lag behind. */
const idleMax = 2_000;
/** So many reads come after each. */
const readsAtRest = 20;
/** One step in so many is a pause. */
const pauseEvery = 150;

class RandomWalk {
  private readonly actors: Actor[] = [];
  private readonly way: Way;
  private readonly tools: WalkTools;
  private readonly pages: NextPages;
  private readonly coverage = new Coverage();
  private readonly allowance: Allowance;
  private last: Actor | undefined;

  constructor(roles: readonly ActorRole[], way: Way, tools: WalkTools) {
    const listen = (api: Api) => afterEach(api, (reply) => this.coverage.heard(reply));
    this.way = way;
    this.tools = { ...tools, api: listen(tools.api) };
    this.pages = new NextPages(tools.random);
    this.allowance = new Allowance(tools);
    const room: Room = { newcomers: way.newcomers };
    for (const role of roles) {
      const caller = role.caller && { ...role.caller, api: listen(role.caller.api) };
      this.actors.push(new Actor(caller ? { ...role, caller } : role, this.actors, room, tools));
    }
  }

  async begin(): Promise<void> {
    for (const [place, actor] of this.actors.entries()) await orLost(actor.begin(place));
  }

  async step(): Promise<void> {
    const kind = this.draw();
    if (kind !== 'pause') return this.act(kind);
    this.coverage.paused();
    await this.tools.clock.sleep(lagMsMax + this.tools.random.int(1, idleMax));
    // What lists may lag behind is over: they are judged to the last record.
    for (let read = 0; read < readsAtRest; read += 1) await orPassedOver(this.act('read'));
  }

  /** What is rarest of what was drawn. */
  private async act(kind: Kind): Promise<void> {
    const drawn = this.candidates(kind);
    const free = drawn.filter(({ atOnce }) => atOnce);
    // Nobody waits for room as long as there is something to read.
    const reads = free.length > 0 || this.way.short ? [] : this.candidates('read').filter(({ atOnce }) => atOnce);
    const next = this.coverage.rarest([free, reads].find(({ length }) => length > 0) ?? drawn);
    if (next === undefined) return;
    this.coverage.meet(next);
    await next.ask();
  }

  private draw(): Kind | 'pause' {
    const { random } = this.tools;
    const lot = random.int(1, 100);
    if (this.way.short) return lot <= 10 ? 'stranger' : lot <= 60 ? 'write' : 'read';
    if (random.int(1, pauseEvery) === 1) return 'pause';
    if (lot <= 12) return 'stranger';
    if (lot === 13) return 'validation';
    return lot <= 18 ? 'event' : lot <= 48 ? 'write' : 'read';
  }

  async end(): Promise<void> {
    for (const actor of [...this.actors].reverse()) await orLost(actor.end());
  }

  private candidates(kind: Kind): readonly Candidate[] {
    return Array.from({ length: candidatesMax }, () => this.candidate(kind)).flatMap((one) => one ?? []);
  }

  /** One in three is of the actor that had the last step. */
  private candidate(kind: Kind): Candidate | undefined {
    const { random } = this.tools;
    const [other] = random.shuffled(this.actors);
    const actor = random.int(1, 3) === 1 ? (this.last ?? other) : other;
    if (actor === undefined) return undefined;
    if (kind === 'stranger') return this.ofStranger(actor);
    const options = this.optionsOf(actor, kind);
    // Of what has many forms no more than of others, where there is time for all.
    const [family] = random.shuffled([...new Set(options.map(familyOf))]);
    const [option] = random.shuffled(this.way.short ? options : options.filter((one) => familyOf(one) === family));
    return option && this.of(actor, option, kind);
  }

  private optionsOf(actor: Actor, kind: keyof typeof rates): readonly Option[] {
    if (kind === 'read') return this.reads(actor);
    if (kind === 'validation') return actor.validations();
    const writes = actor.writes();
    return kind === 'write' ? writes : writes.filter((one) => events.includes(familyOf(one)));
  }

  private of(actor: Actor, { what, ask }: Option, kind: keyof typeof rates): Candidate {
    const { random } = this.tools;
    // Who is to be revived by a new key has nothing beside.
    const caller: Caller = actor.caller ?? { api: this.tools.api };
    const rate = rates[kind];
    const isWrite = rate === 'write';
    const key = isWrite ? keyOrNone(random) : {};
    const [beside = {}] = kind === 'read' ? random.shuffled(actor.role.beside ?? []) : [];
    const under = { ...caller.under, ...beside, ...key };
    const signs = [
      ...(isWrite ? [under.key ? 'with a key' : 'without a key'] : []),
      under.account === undefined ? 'under no account' : 'under an account',
    ];
    return {
      what,
      who: actor.who,
      voice: caller.api.credential.name,
      beside: signs,
      atOnce: this.allowance.has(caller.api.credential, rate),
      ask: () => {
        this.last = actor;
        this.allowance.spend(caller.api.credential, rate);
        return ask({ ...caller, under });
      },
    };
  }

  /** Asks for something, or writes what the other might write. */
  private ofStranger(actor: Actor): Candidate {
    const { random, api, make } = this.tools;
    const [who = '', all = []] = random.shuffled(Object.entries(this.strangers()))[0] ?? [];
    const [credential = anonymous] = random.shuffled(all);
    // There is something to switch to for a session only.
    const session = this.actors.find(({ role }) => role.home !== undefined);
    const callOf = (one: OperationId, mark: string) => actor.callOf(one, mark) ?? session?.callOf(one, mark);
    const known = protectedIds.filter((one) => callOf(one, '') !== undefined);
    const [operation = 'GET /me'] = random.shuffled(credential.kind === 'none' ? protectedReads : known);
    const send = () => {
      const key = operations[operation].rate === 'write' ? keyOrNone(random) : {};
      const call = { ...callOf(operation, make.name('refused')), ...key };
      const whole = random.int(1, 2) === 1 ? call : trickyCall(operation, call, random);
      return api.as(credential).send(operation, whole);
    };
    return {
      what: `${operation} by a stranger`,
      who,
      voice: credential.name,
      beside: [],
      atOnce: true,
      ask: send,
    };
  }

  private strangers(): Way['strangers'] {
    const dead = this.actors.flatMap((actor) => actor.dead() ?? []);
    const { revoked = [], ...others } = this.way.strangers;
    return { ...others, revoked: [...revoked, ...dead] };
  }

  private reads(actor: Actor): readonly Option[] {
    const { random } = this.tools;
    if (actor.caller === undefined) return [];
    const notes = (company_id: number | string): Option => ({
      what: listNotes,
      ask: (caller) => this.pages.read(caller, listNotes, { company_id }),
    });
    const byId = (['GET /companies/{company_id}', listNotes] as const).map(
      (operation): Option => ({
        what: `${operation}: of nothing`,
        ask: ({ api, under }) => api.send(operation, { ...under, path: { company_id: unknownId(random) } }),
      }),
    );
    const { company } = actor;
    return [
      ...plainReads.map((operation) => this.plainRead(operation)),
      ...collections.flatMap((operation) => this.listings(operation)),
      ...(company === undefined ? [] : [notes(company), notes(company), this.company(company), ...byId]),
    ];
  }

  private company(company_id: number | string): Option {
    const operation = 'GET /companies/{company_id}';
    return { what: operation, ask: ({ api, under }) => api.send(operation, { ...under, path: { company_id } }) };
  }

  private plainRead(operation: (typeof plainReads)[number]): Option {
    const isPaged = operation === 'GET /companies' || operation === 'GET /contacts' || operation === 'GET /api-keys';
    return {
      what: operation,
      ask: (caller) =>
        isPaged ? this.pages.read(caller, operation, {}) : caller.api.send(operation, { ...caller.under }),
    };
  }

  /** In an order, with a cursor which is refused, and with some of the members only. */
  private listings(operation: (typeof collections)[number]): readonly Option[] {
    const { random } = this.tools;
    const sort = random.pick(sorts);
    const queries = {
      'with fields': { fields: random.pick(fieldsOf[operation]) },
      'with fields and a limit': { fields: random.pick(fieldsOf[operation]), limit: random.int(1, 5) },
      'in an order': { sort, offset: random.int(0, 3), limit: random.int(1, 5) },
      'in an order behind a cursor': { sort, cursor: 'none' },
    };
    return Object.entries(queries).map(([how, query]) => ({
      what: `${operation}: ${how}`,
      ask: ({ api, under }) => api.send(operation, { ...under, query }),
    }));
  }
}

/** So many steps, one after the other, so that each has another one before it. */
export async function randomWalk(roles: readonly ActorRole[], way: Way, tools: WalkTools): Promise<void> {
  const walk = new RandomWalk(roles, way, tools);
  await walk.begin();
  for (let step = 0; step < way.steps; step += 1) await orPassedOver(walk.step());
  await walk.end();
}
