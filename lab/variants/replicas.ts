// Servers of several nodes: replicas of different age, and releases that show one record differently.
import type { VirtualClock } from '../../lib/runtime/virtual-clock.ts';
import type { Wrap } from '../mutants/mutant.ts';
import type { Json } from '../mutants/wrappers/mutator.ts';
import { firstUnderKeys, onSuccess, rewritten, type Seen, see } from '../mutants/wrappers/mutator.ts';
import { asItIs } from '../mutants/wrappers/nodes.ts';
import { inTurn } from './releases.ts';
import { idOf, numberOf, styled } from './styled-lists.ts';
import { contacts, variants } from './variant.ts';

/** No replica is older, in milliseconds. */
const oldestAge = 4_000;

interface Write {
  readonly list: string;
  /** Of the record: the path of its list and its identifier. */
  readonly path: string;
  readonly at: number;
  /** The record before it; undefined where the write made it. */
  readonly before: Json | undefined;
  /** Whether it deleted the record. */
  readonly isDeletion: boolean;
}

const listOf = (path: string): string => path.replace(/\/[^/]*$/, '');
const isKept = (path: string): boolean => /\/(companies|contacts|notes)(\/[^/]+)?$/.test(path);

/** What was written lately, and how each record was before. */
class Journal {
  private readonly clock: VirtualClock;
  private readonly latest = new Map<string, Json>();
  /** A repetition writes nothing. */
  readonly isFirst = firstUnderKeys();
  private writes: Write[] = [];

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  noteWrite({ request, url }: Seen, record: Json): void {
    const isMade = request.method === 'POST';
    const path = isMade ? `${url.pathname}/${idOf(record)}` : url.pathname;
    const before = this.latest.get(path);
    const oldest = this.clock.now() - oldestAge;
    this.writes = this.writes.filter(({ at }) => at > oldest);
    // What an edited record was before is not known where no reply showed it.
    const isDeletion = request.method === 'DELETE';
    if (isMade || before) this.writes.push({ list: listOf(path), path, at: this.clock.now(), before, isDeletion });
    if (!isDeletion) this.latest.set(path, record);
  }

  noteRead(list: string, records: readonly Json[]): void {
    for (const record of records) this.latest.set(`${list}/${idOf(record)}`, record);
  }

  /** A list as it was: what was made since is not there, what was edited or deleted since is as before. */
  asOf(age: number, list: string, records: readonly Json[]): Json[] {
    const then = this.clock.now() - age;
    const since = this.writes.filter((write) => write.list === list && write.at > then);
    // The first write since then knows the record as it was then.
    const before = new Map(since.reverse().map((write) => [write.path, write.before]));
    const kept = records.flatMap((record): Json[] => {
      const path = `${list}/${idOf(record)}`;
      if (!before.has(path)) return [record];
      const old = before.get(path);
      return old ? [inFieldsOf(record, old)] : [];
    });
    // What was only edited and is not here belongs to another account.
    const deletions = since.filter(({ isDeletion }) => isDeletion);
    return [...kept, ...deletions.flatMap(({ path }): readonly Json[] => [before.get(path) ?? []].flat())];
  }
}

/** `fields` may have been asked for. */
const inFieldsOf = (record: Json, old: Json): Json =>
  Object.fromEntries(Object.keys(record).map((name) => [name, old[name]]));

/** Records what is written and shown, except what `fields` cut. */
const journaled =
  (journal: Journal): Wrap =>
  (honest) =>
  async (request) => {
    const seen = await see(request);
    const { pathname, searchParams } = seen.url;
    const isRead = request.method === 'GET';
    const counts = isKept(pathname) && !searchParams.has('fields') && (isRead || journal.isFirst(seen));
    const response = await honest(request);
    if (!counts || !response.ok) return response;
    const { data } = (await response.clone().json()) as Json;
    if (!isRead) journal.noteWrite(seen, data as Json);
    else if (Array.isArray(data)) journal.noteRead(pathname, data as Json[]);
    else journal.noteRead(listOf(pathname), [data as Json]);
    return response;
  };

/** How old the replicas are that answer one list request after the other, in milliseconds; sorted lists and all else are current. */
const ofDifferentAge =
  (ages: readonly number[]): Wrap =>
  (honest, clock) => {
    const journal = new Journal(clock);
    let count = 0;
    const asShown = (path: string, records: readonly Json[]): readonly Json[] => {
      count += 1;
      return journal.asOf(ages[count % ages.length] ?? 0, path, records);
    };
    return styled({ rank: (record) => -numberOf(record), asShown })(journaled(journal)(honest, clock), clock);
  };

const leaner = ({ extension, ...phone }: Json): Json =>
  extension === null || extension === undefined ? phone : { ...phone, extension };
const fuller = ({ extension = null, ...phone }: Json): Json => ({ ...phone, extension });

/** One release shows a phone without an extension with null, the other without the member. */
const releases: Wrap = (honest, clock) => {
  let count = 0;
  return onSuccess(contacts, ({ data, ...json }) => {
    count += 1;
    const change = count % 2 === 0 ? fuller : leaner;
    const shown = (contact: Json): Json =>
      Array.isArray(contact.phones) ? { ...contact, phones: (contact.phones as Json[]).map(change) } : contact;
    return { ...json, data: Array.isArray(data) ? data.map(shown) : shown(data as Json) };
  })(honest, clock);
};

/** How far the clock of one node is ahead of the other, in milliseconds. */
const clocksApart = 7_000;

const ahead = (timestamp: unknown): string =>
  `${new Date(Date.parse(String(timestamp)) + clocksApart).toISOString().slice(0, 19)}Z`;

/** Dates its replies by a clock that is ahead; the records are dated by the database. */
const datedAhead: Wrap = (honest) => async (request) => {
  const response = await honest(request);
  const date = Date.parse(response.headers.get('date') ?? '') + clocksApart;
  const json = (await response.json()) as Json;
  const dated = rewritten(response, 'timestamp' in json ? { ...json, timestamp: ahead(json.timestamp) } : json);
  dated.headers.set('date', new Date(date).toUTCString());
  return dated;
};

const lagging = 'Lists and totals may lag up to five seconds after a write; nothing says that two readings lag alike.';

export default variants({
  'replicas-every-second-older': { why: lagging, wrap: ofDifferentAge([0, oldestAge]) },
  'replicas-every-third-older': { why: lagging, wrap: ofDifferentAge([0, 0, oldestAge]) },
  'replicas-of-irregular-age': { why: lagging, wrap: ofDifferentAge([0, oldestAge, 0, 1_500, oldestAge]) },
  'replicas-mostly-older': { why: lagging, wrap: ofDifferentAge([oldestAge, oldestAge, 0]) },
  'replicas-of-many-ages': { why: lagging, wrap: ofDifferentAge([0, 3_900, 0, 2_000, 0, oldestAge, 0]) },
  'replicas-of-two-releases': {
    why: 'A phone without an extension may show null or nothing; nothing says that every reply chooses alike.',
    wrap: releases,
  },
  'replicas-of-two-clocks': {
    why: 'Clocks may differ, those of two nodes as well: a reply may be dated some seconds before the one that it follows.',
    reference: { choices: { timestamps: 'seconds', replay: 'fresh-envelope' } },
    wrap: inTurn([asItIs, datedAhead]),
  },
});
