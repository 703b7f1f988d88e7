// The second reading: a server made from the interface document, in which whatever is left open is drawn from a seed.
import { handleRequest, type Listening, listenOn } from './adapters.ts';
import { type Choices, drawChoices } from './choices.ts';
import { systemNow } from './clock.ts';
import { Collection, numbering } from './collection.ts';
import { Core } from './core.ts';
import { CursorRegister } from './cursors.ts';
import { Dice } from './dice.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import { populate } from './population.ts';
import type { ApiKey, Company, Note } from './records.ts';
import { TokenRegister } from './tokens.ts';
import type { Limits, World } from './world.ts';

export interface SecondReadingOptions {
  /** All choices and the population are drawn from it. */
  seed: number;
  /** Choices to fix, for looking into one thing. */
  choices?: Partial<Choices>;
  /** The time in milliseconds. */
  now?: () => number;
  /** Requests per minute of every account. */
  limits?: Limits;
  /** How long a minute of the rate limits lasts. */
  minuteMs?: number;
}

export interface SecondReading {
  handle(request: Request): Promise<Response>;
  listen(port?: number): Promise<Listening>;
  env: Record<string, string>;
  choices: Choices;
  /** What has become of the records that were there from before: nothing, if it returns none. */
  changed(): string[];
}

export async function createSecondReading(options: SecondReadingOptions): Promise<SecondReading> {
  const choices = drawChoices(options.seed, options.choices);
  const world = makeWorld(options, choices);
  const env = populate(world, options.seed);
  const core = new Core(world);
  return {
    handle: (request) => handleRequest(core, request),
    listen: (port = 0) => listenOn(core, choices, port),
    env,
    choices,
    changed: witness(world),
  };
}

function makeWorld(options: SecondReadingOptions, choices: Choices): World {
  const { seed } = options;
  const dice = new Dice(seed, 'running');
  const idDice = new Dice(seed, 'numbers');
  return {
    choices,
    now: options.now ?? systemNow,
    limits: options.limits ?? { read: 200, write: 30, validate: 10 },
    minute: options.minuteMs ?? 60_000,
    dice,
    turn: 0,
    accounts: [],
    users: [],
    usersByNumber: new Map(),
    usersByEmail: new Map(),
    keysBySecret: new Map(),
    keysById: new Map(),
    companies: new Map(),
    allCompanies: new Collection(),
    allContacts: new Collection(),
    organizations: new Set(),
    sessions: new Map(),
    numbers: {
      company: numbering(choices.companyIds, idDice),
      contact: numbering(choices.contactIds, idDice),
      note: numbering(choices.noteIds, idDice),
      key: numbering(choices.keyIds, idDice),
      phone: numbering('from-one', idDice),
    },
    ownNumbers: new Map(),
    meters: new Map(),
    cursors: new CursorRegister(choices, new Dice(seed, 'cursors')),
    idempotency: new IdempotencyStore(),
    tokens: new TokenRegister(new Dice(seed, 'tokens').hex(64), choices),
  };
}

const ofCompany = ({ given, contactCount, notesById }: Company): string =>
  JSON.stringify([given, contactCount, notesById.size]);
const ofNote = ({ text, gone }: Note): string => JSON.stringify([text, gone]);
const ofKey = ({ label, gone }: ApiKey): string => JSON.stringify([label, gone]);

/** Looks at everything that the world holds now; what it returns looks again, and names what has changed. */
function witness(world: World): () => string[] {
  const companies = [...world.companies];
  const notes = companies.flatMap(([place, { notesById }]) =>
    [...notesById.values()].map((note) => [`${place}/${note.id}`, note] as const),
  );
  const keys = [...world.keysById];
  const look = (): readonly (readonly [string, string])[] => [
    ...companies.map(([place, company]) => [`company ${place}`, ofCompany(company)] as const),
    ...notes.map(([place, note]) => [`note ${place}`, ofNote(note)] as const),
    ...keys.map(([place, key]) => [`key ${place}`, ofKey(key)] as const),
  ];
  const before = look();
  return () =>
    look().flatMap(([name, now], place) => {
      const then = before[place]?.[1];
      return now === then ? [] : [`${name}: ${then} became ${now}`];
    });
}
