// A long way in no order: callers take turns at reading, writing and being refused. What they are answered the look back judges.
import {
  anonymous,
  type Call,
  type Credential,
  dataOf,
  identifierOf,
  type Random,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';
import { orLost } from './attempt.ts';
import { validCall } from './dead.ts';
import { plainReads, protectedIds, protectedReads } from './groups.ts';
import { hostileCall } from './hostile.ts';
import type { Caller } from './life.ts';
import { NextPages } from './next-pages.ts';
import { createNote, listNotes } from './note-operations.ts';
import { replaceNote } from './outcomes.ts';
import { type Bench, makeCompany, makeContact, remarkable, steps } from './steps.ts';
import { validate } from './validate.ts';

/** A caller, and where it may write. */
export interface Roamer {
  readonly caller: Caller;
  readonly bench?: Bench;
  /** The account where a session is: going there again moves nothing. */
  readonly home?: string;
}

export interface Way {
  readonly steps: number;
  /** So many companies and contacts it may leave behind. */
  readonly newcomers: number;
  /** Whom nobody lets in, by kinds that take turns. */
  readonly strangers: readonly (readonly [Credential, ...Credential[]])[];
}

type RoamTools = Pick<Tools, 'api' | 'clock' | 'make' | 'random'>;

/** What may be repeated later. */
interface Done {
  readonly caller: Caller;
  readonly call: Call;
}

const drawn = <T>(items: readonly T[], random: Random): T | undefined => items[random.int(0, items.length - 1)];

class Roaming {
  private readonly roamers: Roamer[];
  private readonly way: Way;
  private readonly tools: RoamTools;
  private readonly random: Random;
  private readonly pages: NextPages;
  private readonly done: Done[] = [];
  private newcomers = 0;
  private turn = 0;

  constructor(roamers: readonly Roamer[], way: Way, tools: RoamTools) {
    this.roamers = [...roamers];
    this.way = way;
    this.tools = tools;
    this.random = tools.random;
    this.pages = new NextPages(tools.random);
  }

  async step(): Promise<void> {
    const { random } = this;
    // One step in three is the same caller's as the step before.
    if (random.int(1, 3) > 1) this.turn = random.int(0, this.roamers.length - 1);
    const place = this.turn;
    const roamer = this.roamers[place];
    if (roamer === undefined) return;
    const { caller, bench, home } = roamer;
    const lot = random.int(1, 100);
    if (lot <= 3) await this.tools.clock.sleep(random.int(1, 12_000));
    else if (lot <= 16) await this.refused(roamer);
    else if (lot <= 17) await validate(this.tools.api, caller.api.credential.token);
    else if (lot <= 19 && home !== undefined)
      await caller.api.send('PATCH /me/active-account', { body: { slug: home } });
    else if (lot <= 45 && bench) await this.write(place, bench);
    else await this.read(roamer);
  }

  /** A stranger asks for something, or writes what the other might write. */
  private async refused({ bench }: Roamer): Promise<void> {
    const { random } = this;
    const api = this.tools.api.as(random.pick(drawn(this.way.strangers, random) ?? [anonymous]));
    const operation = drawn(protectedIds, random) ?? 'GET /me';
    const mark = this.tools.make.name('refused');
    const call = validCall(operation, bench?.company.id, undefined, mark);
    if (call === undefined || api.credential.kind === 'none')
      await api.send(drawn(protectedReads, random) ?? 'GET /me');
    else await api.send(operation, random.int(1, 2) === 1 ? call : hostileCall(operation, call, random));
  }

  private async write(place: number, bench: Bench): Promise<void> {
    const lot = this.random.int(1, 20);
    if (lot <= 4) await this.replace(place, bench);
    else if (lot <= 7) await this.repeat(bench);
    else if (lot <= 10 && this.newcomers < this.way.newcomers) await this.settle(bench);
    else await drawn(steps, this.random)?.(bench);
  }

  /** Takes the note away and puts another one there. */
  private async replace(place: number, bench: Bench): Promise<void> {
    const reply = await replaceNote(bench);
    const note = identifierOf('note', dataOf(reply));
    const { bench: _, ...roamer } = this.roamers[place] ?? { caller: bench.caller };
    const goesOn = wasAccepted(reply) && note !== undefined;
    this.roamers[place] = goesOn ? { ...roamer, bench: { ...bench, note } } : roamer;
  }

  /** A note under a key of its own; or one of those made earlier once more, and then no more of it. */
  private async repeat({ caller, company }: Bench): Promise<void> {
    const { random, done } = this;
    const again = random.int(1, 2) === 1 ? done.splice(random.int(0, done.length), 1)[0] : undefined;
    if (again) {
      await again.caller.api.send(createNote, again.call);
      return;
    }
    const body = { text: remarkable(random) };
    const call: Call = { ...caller.under, path: { company_id: company.id }, body, key: random.uuid() };
    if (wasAccepted(await caller.api.send(createNote, call))) done.push({ caller, call });
  }

  private async settle(bench: Bench): Promise<void> {
    const make = this.random.int(1, 5) < 3 ? makeCompany : makeContact;
    if (wasAccepted(await make(bench))) this.newcomers += 1;
  }

  private async read({ caller, bench }: Roamer): Promise<void> {
    const { random, pages } = this;
    const lot = random.int(1, 10);
    if (lot <= 5) return pages.read(caller, random.pick(['GET /companies', 'GET /contacts', 'GET /api-keys']), {});
    if (bench && lot <= 7) return pages.read(caller, listNotes, { company_id: bench.company.id });
    if (bench && lot <= 8) {
      const path = { company_id: bench.company.id };
      await caller.api.send('GET /companies/{company_id}', { ...caller.under, path });
      return;
    }
    await caller.api.send(drawn(plainReads, random) ?? 'GET /me', caller.under);
  }
}

/** So many steps, one after the other, so that each has another one before it. */
export async function roam(roamers: readonly Roamer[], way: Way, tools: RoamTools): Promise<void> {
  const roaming = new Roaming(roamers, way, tools);
  for (let step = 0; step < way.steps; step += 1) await orLost(roaming.step());
}
