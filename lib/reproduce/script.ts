// A failure as a file for `sh`: it makes its own records, sends what the case sent, and ends with what to look for.
import type { Failure, Report, ReportedExchange, RequirementResult, Step } from '../result.ts';
import { oneLine, short } from '../runtime/text.ts';
import { judgement } from './judgement.ts';
import { type Origins, originsIn, tokensIn, usesOf } from './origins.ts';
import { configuredIn, isMadeKey, keyAssignments, options, routeParts, type Variables } from './request.ts';
import { library } from './script-library.ts';
import { comment, quoting, word } from './shell.ts';
import { rounds } from './slice.ts';

export interface Shown {
  readonly requirement: RequirementResult;
  readonly operation?: string;
  readonly failure: Failure;
}

const textMax = 1500;
/** How often what is a burst is sent, by the number of its exchange. */
type Times = ReadonlyMap<number, number>;

const title = ({ operation, request }: ReportedExchange): string =>
  `${operation ?? `${request.method} ${new URL(request.url).pathname}`}, ${request.credential === 'none' ? 'without credentials' : `as ${request.credential}`}`;

/** The origins that the slice itself makes, without those that nothing in it uses. */
function originsOf(slice: readonly ReportedExchange[], all: Origins): Origins {
  const sent = new Set(slice.map(({ id }) => id));
  const used = new Set(slice.flatMap((exchange) => usesOf(exchange).map(({ key }) => key)));
  return new Map([...all].filter(([key, { exchange }]) => sent.has(exchange.id) && used.has(key)));
}

interface Writing {
  readonly slice: readonly ReportedExchange[];
  readonly numbers: ReadonlyMap<number, number>;
  readonly variables: Variables;
  readonly report: Report;
  /** The first request of each burst. */
  readonly bursts: readonly ReportedExchange[];
}

const call = (exchange: ReportedExchange, { numbers, variables }: Writing): string =>
  [
    `send ${numbers.get(exchange.id)} ${exchange.request.method}`,
    word(routeParts(exchange, variables)),
    ...options(exchange, variables),
  ].join(' ');

function captures(exchange: ReportedExchange, { numbers, variables }: Writing): readonly string[] {
  const origins = [...variables.origins.values()].filter((origin) => origin.exchange === exchange);
  return origins.map(
    ({ variable, member, nth }) => `${variable}=$(member ${numbers.get(exchange.id)} ${member} ${nth}) || exit 2`,
  );
}

function step(round: readonly ReportedExchange[], writing: Writing): string {
  const { numbers, bursts } = writing;
  const [first] = round;
  if (first === undefined) return '';
  const calls = round.map((exchange) => call(exchange, writing));
  const titles = [...new Set(round.map(title))].join('; ');
  const many = round.length > 1 ? `${round.length} at the same moment: ` : '';
  return [
    comment(`${numbers.get(first.id)}. ${many}${titles}`),
    ...(round.length === 1 ? calls : [...calls.map((one) => `${one} &`), 'wait']),
    ...round.map(
      (exchange) =>
        `summary ${numbers.get(exchange.id)} ${bursts.length > 0 ? 429 : exchange.response.status} ${word([title(exchange)])}`,
    ),
    ...round.flatMap((exchange) => captures(exchange, writing)),
  ].join('\n');
}

/** More than in the run, which sent one and a half limits: beyond two limits no border between minutes explains it. */
const burstFactor = 1.7;

interface Burst {
  readonly first: ReportedExchange;
  readonly count: number;
}

/** Bursts, and between them what was sent one by one or side by side. */
function parts(slice: readonly ReportedExchange[], times: Times): readonly (Burst | readonly ReportedExchange[])[] {
  const found: (Burst | readonly ReportedExchange[])[] = [];
  let rest: ReportedExchange[] = [];
  for (const exchange of slice) {
    const count = times.get(exchange.id);
    if (count === undefined) {
      rest.push(exchange);
      continue;
    }
    found.push(...rounds(rest), { first: exchange, count });
    rest = [];
  }
  return [...found, ...rounds(rest)];
}

function burst({ first, count }: Burst, writing: Writing): string {
  const number = writing.numbers.get(first.id);
  return [
    comment(`${number}. As fast as possible: ${title(first)}`),
    call(first, writing).replace(`send ${number}`, `burst ${number} ${Math.ceil(burstFactor * count)}`),
  ].join('\n');
}

/** What begins less than this after a reply begins at once. */
const pauseMin = 1_000;

/** As long as the run paused within a case, and before what shows the failure, whoever asks. */
function pauseBefore(
  part: Burst | readonly ReportedExchange[],
  before: readonly (Burst | readonly ReportedExchange[])[],
  shownIds: readonly number[],
): readonly string[] {
  const exchangesOf = (one: typeof part): readonly ReportedExchange[] => ('first' in one ? [one.first] : one);
  const [next] = exchangesOf(part);
  const earlier = before.flatMap(exchangesOf);
  const last = earlier.at(-1);
  if (next === undefined || last === undefined) return [];
  const ended = Math.max(...earlier.map(({ at, duration_ms }) => Date.parse(at) + duration_ms));
  const pause = Date.parse(next.at) - ended;
  const isKept = next.case === last.case || shownIds.includes(next.id);
  return isKept && pause >= pauseMin ? [`pause ${Math.floor(pause / 1000)}`] : [];
}

const heading = ({ requirement, operation }: Shown): string =>
  `${requirement.id} (${requirement.level.toUpperCase()}, ${requirement.section})${operation === undefined ? '' : ` at ${operation}`}`;

/** Of a burst all have the number of the first. */
function numberOf(id: number, { numbers, bursts, report }: Writing): number | undefined {
  const own = numbers.get(id);
  const found = own === undefined ? report.exchanges.find((one) => one.id === id) : undefined;
  const burst =
    found &&
    bursts.find((one) => one.operation === found.operation && one.request.credential === found.request.credential);
  return own ?? (burst && numbers.get(burst.id));
}

/** The beginning of what a run writes into records. */
const ownText = /Covenant [0-9a-f]{6}[ !#-[\]-~]{0,40}/gi;

function look(what: Shown, writing: Writing): string {
  const { failure, requirement } = what;
  const ids = [...new Set(failure.exchanges.flatMap((id) => numberOf(id, writing) ?? []))];
  const seen = writing.slice.flatMap((exchange) => {
    const number = writing.numbers.get(exchange.id);
    return number !== undefined && ids.includes(number) ? [{ exchange, number }] : [];
  });
  const last = seen.at(-1)?.exchange;
  // What went before had its own minute.
  const since = Date.parse(last?.at ?? '') - writing.report.run.minute_ms / 2;
  const counted = writing.slice.flatMap((one) =>
    one.operation === last?.operation && Date.parse(one.at) >= since ? (writing.numbers.get(one.id) ?? []) : [],
  );
  const texts = writing.slice.flatMap(({ request }) => request.body?.match(ownText) ?? []);
  const quote = quoting(failure, writing.report);
  const lines = [
    heading(what),
    requirement.statement,
    `Wrong in the run: ${oneLine(failure.message)}`,
    `Expected: ${short(quote(failure.expected, 2), textMax)}`,
    `Received in the run: ${short(quote(failure.actual, 2), textMax)}`,
    'Received now:',
  ];
  return [
    comment('What to look for.'),
    `printf '\\n%s\\n' ${lines.map((line) => word([line])).join(' \\\n  ')}`,
    `show ${ids.join(' ')}`,
    ...judgement(failure, seen, counted, [...new Set(texts)]),
  ].join('\n');
}

/** Keys are few on an account: those that were made here and not revoked go again. */
function takeBack({ slice, variables }: Writing): readonly string[] {
  const revoked = new Set(
    slice.flatMap((one) => (one.operation === 'DELETE /api-keys/{key_id}' ? usesOf(one).map(({ key }) => key) : [])),
  );
  return slice.flatMap((exchange) => {
    const own = [...variables.origins].find(([key, origin]) => key.startsWith('key ') && origin.exchange === exchange);
    if (!own || revoked.has(own[0])) return [];
    const auth = options(exchange, variables).filter((option) => /^-H ['"]?(authorization|x-origin)/i.test(option));
    return [`send 0 DELETE "/api-keys/$${own[1].variable}" ${auth.join(' ')}`];
  });
}

/** The origins of keys also where only the token is used: they are what can be taken back. */
function withKeys(origins: Origins, all: Origins): Origins {
  const tokens = [...origins].filter(([key]) => key.startsWith('token ')).map(([, { exchange }]) => exchange);
  const keys = [...all].filter(([key, { exchange }]) => key.startsWith('key ') && tokens.includes(exchange));
  return new Map([...origins, ...keys]);
}

interface Needs {
  /** Configured credentials. */
  readonly configured: readonly string[];
  /** Keys of the run whose creation is not among the steps. */
  readonly unmade: readonly string[];
}

function needsOf({ slice, variables }: Writing): Needs {
  const made = new Set(slice.flatMap(tokensIn).filter(isMadeKey));
  return {
    configured: [...new Set(slice.flatMap((exchange) => configuredIn(exchange, variables.recipes)))],
    unmade: [...made].filter((name) => !variables.origins.has(`token ${name}`)),
  };
}

const introduction = (what: Shown, { run, target }: Report): string =>
  comment(
    [
      heading(what),
      what.requirement.statement,
      `Found at ${target.base_url} in run ${run.id} with seed ${run.seed}.`,
      'Run with: sh FILE; it needs curl, and leaves the records that the interface cannot delete.',
    ].join('\n'),
  );

/**
 * One file. Before anything is sent it says which variable is missing; where a reply lacks what the rest needs it ends
 * with 2, as before the end; else with 1 where the failure is shown, and with 0 where it is not. Nothing in it is secret.
 */
export function script(what: Shown, report: Report): string {
  const steps = what.failure.steps ?? what.failure.exchanges.map((exchange): Step => ({ exchange }));
  const slice = steps.flatMap(({ exchange }) => report.exchanges.find(({ id }) => id === exchange) ?? []);
  const times = new Map(steps.flatMap(({ exchange, times }) => (times === undefined ? [] : [[exchange, times]])));
  const numbers = new Map(slice.map(({ id }, index) => [id, index + 1]));
  const all = originsIn(slice);
  const { keys, lines } = keyAssignments(slice, '$(fresh_key)');
  const variables = { origins: withKeys(originsOf(slice, all), all), recipes: report.tokens ?? {}, keys };
  const bursts = slice.filter(({ id }) => times.has(id));
  const writing: Writing = { slice, numbers, variables, report, bursts };
  const { configured, unmade } = needsOf(writing);
  return `${[
    '#!/bin/sh',
    introduction(what, report),
    ...unmade.map((name) => comment(`${name} is a key whose creation was not recorded; set it yourself.`)),
    `: "\${COVENANT_BASE_URL:=${report.target.base_url.replace(/[`$"\\]/g, '')}}"`,
    `: "\${COVENANT_MINUTE_MS:=${report.run.minute_ms}}"`,
    ...[...configured, ...unmade].map(
      (name) => `[ -n "\${${name}:-}" ] || { echo 'set ${name} to the credential of that name' >&2; exit 2; }`,
    ),
    library,
    ...lines,
    ...parts(slice, times).flatMap((one, at, all) => [
      ...pauseBefore(one, all.slice(0, at), what.failure.exchanges),
      'first' in one ? burst(one, writing) : step(one, writing),
    ]),
    look(what, writing),
    ...takeBack(writing),
    'exit "$verdict"',
  ].join('\n\n')}\n`;
}
