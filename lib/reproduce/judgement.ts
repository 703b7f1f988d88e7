// How a script decides whether the failure is there again: by a status, a count, a member, or whole replies beside those of the run.
import type { Failure, ReportedExchange } from '../result.ts';
import { word } from './shell.ts';

const statuses: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^2xx$|should have succeeded$/, ['2??']],
  [/^any status below 500$/, ['[1-4]??']],
  [/^a refusal$/, ['4??']],
];

/** Patterns of the statuses that are right; none where the expectation is about something else. */
function patterns({ message, expected, actual }: Failure, { response }: ReportedExchange): readonly string[] {
  const text = String(expected);
  if (!new RegExp(`^${response.status}\\b`).test(String(actual))) return [];
  const [, first, second, third] = /^any status but (\d)(\d)(\d)$/.exec(text) ?? [];
  if (first !== undefined) return [`[!${first}]??`, `${first}[!${second}]?`, `${first}${second}[!${third}]`];
  const known = statuses.find(([form]) => form.test(text) || form.test(message));
  return known?.[1] ?? (/^\d{3}( or \d{3})*$/.test(text) ? text.split(' or ') : []);
}

const lists = ({ response }: ReportedExchange): boolean => response.body.includes('"pagination"');
/** The members of a list that are not its records'. */
const ofPages = /^(limit|offset|total|has_more|cursor|next_cursor)$/;
/** Greater numbers are times. */
const timesFrom = 1e9;
const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** The member that has the value: the message names it, or no other value is like it. */
function memberOf({ message, actual }: Failure, exchange: ReportedExchange) {
  const { response } = exchange;
  const isList = lists(exchange);
  const value = JSON.stringify(actual);
  const named = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(message);
  const seen = new Map<string, number>();
  for (const [, name = '', found = ''] of response.body.matchAll(/"(\w+)" *: *("[^"]*"|[^\],}]*)/g)) {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    const isOnly = response.body.split(`"${name}"`).length === 2;
    const isPlain = isOnly && found.trim() === value && !/id$/.test(name) && !(Number(value) > timesFrom);
    if (isPlain && (isList ? named(name) && ofPages.test(name) : named(name) || value.length > 8))
      return { name, nth, value };
  }
  return undefined;
}

/** The member that the message says is missing, and the reply does not have. */
function missingIn({ message, actual }: Failure, { response }: ReportedExchange): string | undefined {
  const name = actual === 'absent' ? /^(?:\w+\.)*(\w+) should/.exec(message)?.[1] : undefined;
  return name === undefined || response.body.includes(`"${name}"`) ? undefined : name;
}

/** Replies that make a script longer than this are left to the reader. */
const recordedMax = 12_000;

/** Everybody's records are in it, not only those of one company. */
const isCommon = (exchange: ReportedExchange): boolean => lists(exchange) && !exchange.operation?.includes('{');

/** As it was in the run; of what everybody's records are in the script compares only those that have its texts. */
function recorded(exchange: ReportedExchange, number: number): string {
  const { status, headers, body } = exchange.response;
  const type = word([headers['content-type'] ?? '']);
  return [
    `recorded ${number} ${status} ${type} <<'END OF REPLY'\n${body}\nEND OF REPLY`,
    ...(isCommon(exchange) ? [`cp "$work/texts" "$work/texts.${number}"`] : []),
  ].join('\n');
}

/** What differs between any two runs, so that equal replies say nothing of it. */
const compared = /\b(request_id .*(other|own|same|unique|twice|again)|\w*cursors?|\w*prefix|api_key)\b/;

/** What is shown, as it was in the run, with the number of each. */
type Numbered = readonly { readonly exchange: ReportedExchange; readonly number: number }[];

/** Lines of `sh`; `texts` are what this file sends and finds again. */
export function judgement(
  failure: Failure,
  seen: Numbered,
  counted: readonly number[],
  texts: readonly string[],
): readonly string[] {
  const last = seen.at(-1);
  if (last === undefined) return [];
  const { exchange, number } = last;
  const right = patterns(failure, exchange);
  if (right.length > 0) {
    const expected = word([String(failure.expected)]);
    return [`judge_status ${number} ${expected} ${right.map((one) => word([one])).join(' ')}`];
  }
  const [, most, least] = /^no more than (\d+) accepted|^(\d+) accepted$/.exec(String(failure.expected)) ?? [];
  if ((most ?? least) !== undefined) return [`judge_count ${least ?? 0} ${most ?? 1_000_000} ${counted.join(' ')}`];
  const missing = missingIn(failure, exchange);
  if (missing !== undefined) return [`judge_absent ${number} ${missing}`];
  const isClock = instant.test(String(failure.actual));
  const member = isClock ? undefined : memberOf(failure, exchange);
  if (member) return [`judge_member ${number} ${member.name} ${member.nth} ${word([member.value])}`];
  const replies = seen.map((one) => recorded(one.exchange, one.number));
  const isLacking = /not in|without|missing/.test(String(failure.actual));
  const isVague =
    (typeof failure.actual === 'number' && failure.actual < timesFrom && seen.length === 1) ||
    compared.test(failure.message) ||
    seen.some(
      (one) => one.exchange.response.status === 429 || (isCommon(one.exchange) && !(isLacking && texts.length > 0)),
    );
  if (
    isVague ||
    isClock ||
    failure.exchanges.some((id) => seen.every((one) => one.exchange.id !== id)) ||
    replies.join('').length > recordedMax
  )
    return ["echo 'Compare this with what is expected: the script cannot decide it.'"];
  return [
    `cat > "$work/texts" <<'END OF TEXTS'\n${texts.join('\n')}\nEND OF TEXTS`,
    ...replies,
    `judge_replies ${seen.map((one) => one.number).join(' ')}`,
  ];
}
