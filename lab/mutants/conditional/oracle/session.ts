// The long session: what a lawful client does to an honest server, kept so that it can be done to another.
import { seededRandom } from '../../../../lib/runtime/random.ts';
import { createReference, type ReferenceOptions } from '../../../reference/index.ts';
import { Client } from './client.ts';
import { type Deviations, deviated, deviating } from './deviations.ts';
import type { Exchange } from './exchange.ts';
import {
  foreignHeaders,
  foreignKeys,
  keys,
  oldKeys,
  refusedSwitches,
  switches,
  validations,
  whoAmI,
} from './flows-of-callers.ts';
import { keyLists, refusedLists, sorted, walk } from './flows-of-lists.ts';
import { companies, contacts, misplacedNotes, notes, oldNotes, readCompanies } from './flows-of-records.ts';
import {
  forbidden,
  foreignRecords,
  invalidCreations,
  invalidNotes,
  malformed,
  unknownRecords,
} from './flows-of-refusals.ts';
import { spending, strangers } from './flows-of-strangers.ts';
import { scriptClock } from './script-clock.ts';

export type Options = Omit<ReferenceOptions, 'clock'>;
type Flow = (client: Client) => Promise<void>;

/** So many exchanges at least. */
export const sessionLength = 1_600;
/** Where virtual time begins, in milliseconds since the epoch; the session begins a little later. */
export const sessionStart = Date.UTC(2026, 2, 2, 9, 0, 0);
const sessionSeed = 1;

const pause: Flow = async (client) => client.wait(client.random.pick([2_500, 6_000, 31_000]));

/** What happens often stands here more than once. */
const flows: readonly [Flow, ...Flow[]] = [
  whoAmI,
  ...[whoAmI, keys, keys, oldKeys, foreignKeys, validations, switches, refusedSwitches, foreignHeaders],
  ...[companies, companies, companies, readCompanies, contacts, contacts, contacts],
  ...[notes, notes, notes, oldNotes, misplacedNotes, misplacedNotes],
  ...[walk, walk, walk, walk, walk, sorted, sorted, refusedLists, keyLists],
  ...[invalidCreations, invalidCreations, invalidNotes, malformed, unknownRecords, foreignRecords],
  ...[forbidden, strangers, strangers, strangers, pause],
];

/** Limits are spent at these shares of the session: often enough, and no more. */
const spendings = [
  { share: 0.3, rate: 'read' },
  { share: 0.5, rate: 'write' },
  { share: 0.7, rate: 'validate' },
] as const;

async function record(options: Options, deviations: Deviations): Promise<readonly Exchange[]> {
  const clock = scriptClock(sessionStart);
  const { handler, env } = await createReference({ ...options, clock });
  const server = deviating(handler, deviations, () => client.exchanges.length);
  const client: Client = new Client(server, env, clock, seededRandom(sessionSeed));
  const open = [...spendings];
  while (client.exchanges.length < sessionLength) {
    const next = open[0];
    if (next !== undefined && client.exchanges.length >= next.share * sessionLength) {
      open.shift();
      await spending(client, next.rate);
    } else await client.deal('flows', flows)(client);
  }
  return client.exchanges.map((one, place) => deviated(one, deviations.get(place)));
}

const recorded = new Map<string, Promise<readonly Exchange[]>>();

/** The session on an honest server of these options; recorded once. */
export function sessionOn(options: Options): Promise<readonly Exchange[]> {
  const name = JSON.stringify(options);
  const known = recorded.get(name) ?? record(options, new Map());
  recorded.set(name, known);
  return known;
}

/** The session on one that goes other ways here and there. */
export const sessionOtherwise = (options: Options, deviations: Deviations): Promise<readonly Exchange[]> =>
  deviations.size === 0 ? sessionOn(options) : record(options, deviations);
