// Selects the requests that a failure needs: those that show it, those that created what they use, and the writes that
// led to it; and prints them as curl.
import { operations, type RateClass } from '../catalogue/operations.ts';
import type { Failure, Report, ReportedExchange, RequirementResult } from '../result.ts';
import { computedOnce, grouped } from '../runtime/grouped.ts';
import { type Origins, originsIn, pathOf, tokensIn, usesOf } from './origins.ts';
import { address, type Derivations, keyAssignments, options, type Variables } from './request.ts';
import { comment } from './shell.ts';

/** The numbers of the exchanges that show a failure or lead to it. */
export const restsOn = ({ exchanges, steps = [] }: Failure): readonly number[] => [
  ...exchanges,
  ...steps.map(({ exchange }) => exchange),
];

const isWrite = ({ request, operation }: ReportedExchange): boolean =>
  request.method !== 'GET' && request.method !== 'HEAD' && operation !== 'POST /auth/validate-api-key';

const keyOf = ({ request }: ReportedExchange): string | undefined => request.headers['idempotency-key'];

/** The record at the end of the path. */
function recordOf(exchange: ReportedExchange): string | undefined {
  const end = pathOf(exchange).split('/').length - 1;
  return usesOf(exchange).find(({ segment }) => segment === end)?.key;
}

const listOf = (exchange: ReportedExchange): string => {
  const path = pathOf(exchange);
  return exchange.request.method === 'POST' ? path : path.slice(0, path.lastIndexOf('/'));
};

const revocation = 'DELETE /api-keys/{key_id}';

const revokes = ({ request }: ReportedExchange, origins: Origins, token: string): boolean => {
  const made = origins.get(`token ${token}`);
  return made !== undefined && origins.get(`key ${request.url.split('/').at(-1)}`) === made;
};

/** Whether a write may have caused the other reply. */
function leadsTo(write: ReportedExchange, other: ReportedExchange, origins: Origins): boolean {
  if (write.id >= other.id) return false;
  if (write.operation === revocation && tokensIn(other).some((token) => revokes(write, origins, token))) return true;
  if (write.case !== other.case) return false;
  const key = keyOf(write);
  if (key !== undefined && key === keyOf(other)) return true;
  if (write.operation === 'PATCH /me/active-account') return true;
  // Two creations do not cause each other.
  return pathOf(write) === pathOf(other) && write.request.method !== 'POST';
}

const rates = new Map<string, RateClass>(Object.entries(operations).map(([id, { rate }]) => [id, rate]));
const rateOf = ({ operation = '' }: ReportedExchange): RateClass | undefined => rates.get(operation);

/** A refusal and what is sent once its minute has passed belong together. */
const minutesKept = 1.5;

class Slicer {
  readonly origins: Origins;
  private readonly derivations: Derivations;
  private readonly transcript: readonly ReportedExchange[];
  private readonly byId: ReadonlyMap<number, ReportedExchange>;
  /** Writes by their cases, and revocations, which may concern any: a run has ten thousand requests. */
  private readonly writes: ReadonlyMap<string | undefined, readonly ReportedExchange[]>;
  private readonly revocations: readonly ReportedExchange[];
  /** The first request that carries each token. */
  private readonly firstUses = new Map<string, ReportedExchange>();

  constructor(transcript: readonly ReportedExchange[], derivations: Derivations) {
    this.transcript = transcript;
    this.derivations = derivations;
    this.byId = new Map(transcript.map((exchange) => [exchange.id, exchange]));
    this.origins = originsIn(transcript);
    const writes = transcript.filter(isWrite);
    this.writes = grouped(writes, (write) => write.case);
    this.revocations = writes.filter(({ operation }) => operation === revocation);
    for (const exchange of transcript)
      for (const token of tokensIn(exchange)) if (!this.firstUses.has(token)) this.firstUses.set(token, exchange);
  }

  /**
   * Everything that has to be sent to see these replies again, in the order in which it was answered. `wholeMinuteMs`, the
   * length of a minute: all that was sent in it, for what depends on how much was sent.
   */
  slice(ids: readonly number[], wholeMinuteMs?: number): readonly ReportedExchange[] {
    const needed = new Map<number, ReportedExchange>();
    const queue = ids.flatMap((id) => this.byId.get(id) ?? []);
    queue.push(
      ...this.controls(queue),
      ...(wholeMinuteMs !== undefined
        ? this.sentBefore(queue, wholeMinuteMs)
        : [...this.fillingLists(queue), ...this.writtenBetween(queue), ...this.usesOfKeys(queue)]),
    );
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (needed.has(next.id)) continue;
      needed.set(next.id, next);
      queue.push(...this.leadingTo(next));
    }
    return [...needed.values()].sort((one, other) => one.id - other.id);
  }

  /** What was written to the lists that are read, where what is shown says nothing of it itself. */
  private fillingLists(shown: readonly ReportedExchange[]): readonly ReportedExchange[] {
    const written = new Set(shown.filter(isWrite).map(listOf));
    const reads = shown.filter((one) => !isWrite(one) && !written.has(pathOf(one)));
    return this.transcript.filter(
      (write) =>
        isWrite(write) &&
        reads.some((read) => read.case === write.case && write.id < read.id && pathOf(read) === listOf(write)),
    );
  }

  /** What was written, by whichever case, and refused or not, to the records that are shown: between their first and their last reply. */
  private writtenBetween(shown: readonly ReportedExchange[]): readonly ReportedExchange[] {
    const [first, last] = [shown.at(0)?.id ?? 0, shown.at(-1)?.id ?? 0];
    const ids = new Set(shown.map(({ id }) => id));
    const made = [...this.origins].flatMap(([key, { id }]) => (ids.has(id) ? [key] : []));
    const records = new Set([...made, ...shown.flatMap((one) => recordOf(one) ?? [])]);
    return this.transcript.filter((write) => {
      const record = write.id > first && write.id < last && isWrite(write) ? recordOf(write) : undefined;
      return record !== undefined && records.has(record);
    });
  }

  /** A list of keys says when each was used: of each made in the case the first use. */
  private usesOfKeys(shown: readonly ReportedExchange[]): readonly ReportedExchange[] {
    const lists = shown.filter(({ operation }) => operation === 'GET /api-keys');
    if (lists.length === 0) return [];
    return [...this.firstUses].flatMap(([token, use]) => {
      const made = this.origins.get(`token ${token}`);
      const list = made && lists.find((one) => one.case === made.case);
      return list !== undefined && use.id < list.id ? [use] : [];
    });
  }

  /** What counts together with the last of them: of its case all, of others what the same credential sent of its class. */
  private sentBefore(shown: readonly ReportedExchange[], minuteMs: number): readonly ReportedExchange[] {
    const last = shown.at(-1);
    if (last === undefined) return [];
    const since = Date.parse(last.at) - minutesKept * minuteMs;
    const countsWith = (one: ReportedExchange): boolean =>
      one.case === last.case || (one.request.credential === last.request.credential && rateOf(one) === rateOf(last));
    return this.transcript.filter((one) => one.id < last.id && Date.parse(one.at) >= since && countsWith(one));
  }

  private readonly leadingTo = computedOnce((exchange: ReportedExchange): readonly ReportedExchange[] => {
    const origins = usesOf(exchange).flatMap(({ key }) => this.origins.get(key) ?? []);
    const near = [...(this.writes.get(exchange.case) ?? []), ...this.revocations];
    const writes = near.filter((write) => leadsTo(write, exchange, this.origins));
    return [...origins.filter(({ id }) => id < exchange.id), ...writes];
  });

  /** What was accepted of somebody else, or of the credential that a token was made from: only the credential is refused. */
  private controls(shown: readonly ReportedExchange[]): readonly ReportedExchange[] {
    return shown.flatMap((one) => {
      const accepted = this.transcript.filter(
        (other) => other.id < one.id && !isWrite(other) && other.response.status < 300 && other.operation !== undefined,
      );
      const made = tokensIn(one).flatMap((token) => this.derivations[token] ?? []);
      const sources = new Set(made.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.of])));
      const ofSource = accepted.filter(({ request }) => sources.has(request.credential));
      const beside = accepted.filter(
        (other) => other.case === one.case && other.request.credential !== one.request.credential,
      );
      const same = ({ operation }: ReportedExchange): boolean => operation === one.operation;
      return ofSource.findLast(same) ?? ofSource.at(-1) ?? beside.findLast(same) ?? [];
    });
  }
}

/** What a burst repeats: the same but for what only makes its requests different. */
const signature = ({ request }: ReportedExchange): string =>
  `${request.method} ${request.url} ${request.credential} ${(request.body ?? '').replace(/\d+/g, '0')}`;

/** So many equal requests are a burst. */
const burstMin = 10;

/** The exchanges, of those that differ in nothing that counts the first alone. */
function withoutRepeats(slice: readonly ReportedExchange[]): readonly ReportedExchange[] {
  const bursts = grouped(slice, signature);
  return slice.filter((one) => {
    const [first, ...others] = bursts.get(signature(one)) ?? [];
    return one === first || others.length + 1 < burstMin;
  });
}

/** Exchanges that were under way together, as groups, in the order in which they began. */
function rounds(exchanges: readonly ReportedExchange[]): readonly (readonly ReportedExchange[])[] {
  const groups: ReportedExchange[][] = [];
  for (const exchange of exchanges) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const together = first !== undefined && first.case === exchange.case && (exchange.after ?? exchange.id) < first.id;
    if (group && together) group.push(exchange);
    else groups.push([exchange]);
  }
  return groups;
}

const method = ({ request }: ReportedExchange): string =>
  request.method === 'HEAD' ? '--head' : `-X ${request.method}`;

const line = (exchange: ReportedExchange, variables: Variables): string =>
  ['curl -sS -i', method(exchange), ...options(exchange, variables), address(exchange)].join(' ');

/** Equal requests at the same moment as a loop, others side by side. */
function together(lines: readonly string[]): string {
  const [first] = lines;
  if (lines.every((one) => one === first)) {
    return `for i in ${lines.map((_, index) => index + 1).join(' ')}; do\n  ${first} &\ndone; wait`;
  }
  return `${lines.map((one) => `${one} &`).join('\n')}\nwait`;
}

/** Records and keys of the run, which are gone: the lines alone do not make them again. */
const rests = (shown: readonly ReportedExchange[], origins: Origins): boolean =>
  shown.some((one) => usesOf(one).some(({ key }) => !key.startsWith('cursor ') && origins.has(key)));

const gone =
  'The run took back what this uses. What makes its own: covenant again, with the identifier of the requirement';

/** Credentials are variables named like their settings. Where the requests rest on records of the run, a comment says so. */
function commands(shown: readonly ReportedExchange[], origins: Origins, derivations: Derivations): readonly string[] {
  const { keys, lines } = keyAssignments(shown);
  const variables: Variables = { derivations, keys };
  return [
    ...(rests(shown, origins) ? [comment(gone)] : []),
    ...lines,
    ...rounds(shown).map((round) => {
      const [first, ...others] = round.map((exchange) => line(exchange, variables));
      return first !== undefined && others.length === 0 ? first : together([first ?? '', ...others]);
    }),
  ];
}

/** The report with steps and lines in every failure. */
export function withSteps(report: Report, transcript: readonly ReportedExchange[], derivations: Derivations): Report {
  const slicer = new Slicer(transcript, derivations);
  const known = new Map<string, Pick<Failure, 'curl' | 'steps'>>();
  const shownBy = (failure: Failure, whole: boolean): Pick<Failure, 'curl' | 'steps'> => {
    const slice = slicer.slice(failure.exchanges, whole ? report.run.minute_ms : undefined);
    const steps = (whole ? withoutRepeats(slice) : slice).map(({ id }) => ({ exchange: id }));
    const shown = transcript.filter(({ id }) => failure.exchanges.includes(id));
    return { curl: commands(shown, slicer.origins, derivations), steps };
  };
  const stepped = (failure: Failure, { area }: RequirementResult): Failure => {
    // What is refused for its number depends on everything that was sent before.
    const whole = area === 'rate-limits';
    const name = `${whole} ${failure.exchanges}`;
    const found = known.get(name) ?? shownBy(failure, whole);
    known.set(name, found);
    return { ...failure, ...found };
  };
  const requirements = report.requirements.map((row) => ({
    ...row,
    cases: row.cases.map((one) => (one.failure === undefined ? one : { ...one, failure: stepped(one.failure, row) })),
  }));
  return { ...report, requirements };
}
