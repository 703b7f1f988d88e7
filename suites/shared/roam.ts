// A long way in no order: callers take turns at reading, writing and being refused. What they are answered the look back judges.
import {
  anonymous,
  at,
  type Call,
  type Credential,
  dataOf,
  identifierOf,
  type Random,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { malformedTokens, unknownKeys } from '../authentication/bad-tokens.ts';
import { wasAccepted } from './answer.ts';
import { orLost } from './attempt.ts';
import { collections, plainReads, protectedReads } from './groups.ts';
import type { Caller } from './life.ts';
import { listNotes } from './note-operations.ts';
import { replaceNote } from './outcomes.ts';
import { type Bench, steps } from './steps.ts';
import { fieldsOf, sorts } from './tour.ts';
import { validate } from './validate.ts';

/** A caller, and where it may write. */
export interface Roamer {
  readonly caller: Caller;
  readonly bench?: Bench;
}

type RoamTools = Pick<Tools, 'api' | 'clock' | 'invalid' | 'random'>;
type Query = NonNullable<Call['query']>;
type Listed = (typeof collections)[number] | typeof listNotes;

const drawn = <T>(items: readonly T[], random: Random): T | undefined => items[random.int(0, items.length - 1)];

class Roaming {
  private readonly roamers: Roamer[];
  private readonly tools: RoamTools;
  private readonly random: Random;
  private readonly strangers: readonly [Credential, ...Credential[]];
  /** The last page of each caller's lists that has another one behind it, with what it was asked for. */
  private readonly open = new Map<string, Query>();

  constructor(roamers: readonly Roamer[], tools: RoamTools) {
    this.roamers = [...roamers];
    this.tools = tools;
    this.random = tools.random;
    this.strangers = [anonymous, ...unknownKeys(tools), ...malformedTokens(tools)];
  }

  async step(): Promise<void> {
    const { random } = this;
    const place = random.int(0, this.roamers.length - 1);
    const roamer = this.roamers[place];
    if (roamer === undefined) return;
    const lot = random.int(1, 100);
    if (lot <= 4) await this.tools.clock.sleep(random.int(1, 12_000));
    else if (lot <= 10)
      await this.tools.api.as(random.pick(this.strangers)).send(drawn(protectedReads, random) ?? 'GET /me');
    else if (lot <= 12) await validate(this.tools.api, roamer.caller.api.credential.token);
    else if (lot <= 30 && roamer.bench) await this.write(place, roamer.bench);
    else await this.read(roamer);
  }

  /** One write in three takes the note away and puts another one there. */
  private async write(place: number, bench: Bench): Promise<void> {
    const { random } = this;
    if (random.int(1, 3) > 1) {
      await drawn(steps, random)?.(bench);
      return;
    }
    const reply = await replaceNote(bench);
    const note = identifierOf('note', dataOf(reply));
    const { caller } = bench;
    this.roamers[place] = wasAccepted(reply) && note !== undefined ? { caller, bench: { ...bench, note } } : { caller };
  }

  private async read({ caller, bench }: Roamer): Promise<void> {
    const { random } = this;
    const lot = random.int(1, 10);
    if (lot <= 4) return this.list(caller, random.pick(collections), {});
    if (bench && lot <= 6) return this.list(caller, listNotes, { company_id: bench.company.id });
    if (bench && lot <= 7) {
      const path = { company_id: bench.company.id };
      await caller.api.send('GET /companies/{company_id}', { ...caller.under, path });
      return;
    }
    await caller.api.send(drawn(plainReads, random) ?? 'GET /me', caller.under);
  }

  /** A first page, or the one behind the page that was read last. */
  private async list({ api, under }: Caller, operation: Listed, path: NonNullable<Call['path']>): Promise<void> {
    const { random } = this;
    const name = [api.credential.name, under?.account, operation, path.company_id].join(' ');
    const next = this.open.get(name);
    const goesOn = next !== undefined && random.int(1, 4) > 1;
    const query = goesOn ? next : this.queryFor(operation);
    const reply = await api.send(operation, { ...under, path, query });
    this.open.delete(name);
    const cursor = nextOf(reply);
    if (cursor !== undefined && !('sort' in query)) this.open.set(name, { ...query, cursor });
  }

  private queryFor(operation: Listed): Query {
    const { random } = this;
    const query: Query = random.int(1, 3) === 1 ? {} : { limit: random.pick([1, 2, 3, 5, 50, 200]) };
    if (operation === listNotes) return query;
    if (random.int(1, 4) === 1) return { ...query, sort: random.pick(sorts), offset: random.int(0, 3) };
    return random.int(1, 3) === 1 ? { ...query, fields: random.pick(fieldsOf[operation]) } : query;
  }
}

function nextOf(reply: Reply): string | undefined {
  const cursor = at(reply.json, 'pagination', 'next_cursor');
  return wasAccepted(reply) && typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

/** So many steps, one after the other, so that each has another one before it. */
export async function roam(roamers: readonly Roamer[], count: number, tools: RoamTools): Promise<void> {
  const roaming = new Roaming(roamers, tools);
  for (let step = 0; step < count; step += 1) await orLost(roaming.step());
}
