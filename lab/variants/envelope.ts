// Unusual envelopes: further members, other orders, other spellings of times and identifiers, other headers.
import type { Json } from '../mutants/wrappers/mutator.ts';
import { always, onReply } from '../mutants/wrappers/mutator.ts';
import { everyHeader, everyObject, everyText, rebuilt } from './rewrite.ts';
import { variants } from './variant.ts';

/** A reply that the document says holds nothing else. */
const isBare = (object: Json): boolean => object.valid === false;

const more = (object: Json): Json =>
  isBare(object) ? object : { ...object, _links: { self: '/x' }, _tags: ['a', null] };

/** With `fields` the members of a record are fixed; only the objects around and inside it may have more. */
const furtherMembers = onReply(always, (json, { url }) => {
  const { data } = json;
  if (!url.searchParams.has('fields') || !Array.isArray(data)) return rebuilt(json, more);
  const inside = (record: Json) => Object.entries(record).map(([name, value]) => [name, rebuilt(value, more)]);
  return { ...more(json), data: data.map((record) => Object.fromEntries(inside(record))) };
});

/** The names of members that hold the server's own date-times. */
const isTime = (name: string): boolean => name === 'timestamp' || name.endsWith('_at');

/** A date-time without offset is UTC. */
const zoned = (time: string): string => (/Z|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`);

const times = (form: (ms: number) => string) =>
  everyObject((object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        isTime(name) && typeof value === 'string' ? form(Date.parse(zoned(value))) : value,
      ]),
    ),
  );
const iso = (ms: number) => new Date(ms).toISOString();
/** Of the year, the first is 1. */
const dayOf = (ms: number) => Math.floor((ms - Date.parse(`${iso(ms).slice(0, 4)}-01-01`)) / 86_400_000) + 1;
const behindUtc = 5.5 * 3_600_000;

const requestIds = (name: (count: number, success: boolean) => string) => {
  let count = 0;
  return onReply(always, (json, _seen, status) => {
    count += 1;
    return { ...json, request_id: name(count, status < 300) };
  });
};

const escaped = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export default variants({
  'envelope-further-members': {
    why: 'Extra members are lawful in every object.',
    wrap: furtherMembers,
  },
  'envelope-members-reversed': {
    why: 'The order of members is open.',
    wrap: everyObject((object) => Object.fromEntries(Object.entries(object).reverse())),
  },
  'envelope-indented': {
    why: 'JSON allows white space between tokens.',
    wrap: everyText((text) => (text === '' ? text : `\r\n${JSON.stringify(JSON.parse(text), null, '\t')}\n`)),
  },
  'envelope-escaped': { why: 'JSON may escape every character outside ASCII.', wrap: everyText(escaped) },
  'envelope-byte-order-mark': {
    why: 'The document says JSON and names no RFC, and RFC 8259 lets readers ignore the mark.',
    wrap: everyText((text) => `\ufeff${text}`),
  },
  'envelope-media-types': {
    why: 'Any JSON media type says that the body is JSON.',
    wrap: everyHeader((headers, status) =>
      headers.set(
        'content-type',
        status < 400 ? 'application/vnd.deals.v2+json; charset=utf-8' : 'application/problem+json',
      ),
    ),
  },
  'envelope-no-date': {
    why: 'A server without a clock sends no Date; then the client’s clock counts.',
    wrap: everyHeader((headers) => headers.delete('date')),
  },
  'envelope-many-headers': {
    why: 'Replies may carry any further header.',
    wrap: everyHeader((headers) => {
      headers.set('server', 'gateway/3');
      headers.set('x-request-id', 'edge-1');
      headers.set('cache-control', 'no-store');
      headers.set('x-ratelimit-limit', '10');
      headers.set('x-ratelimit-remaining', '0');
      headers.set('vary', 'accept, authorization');
    }),
  },
  'envelope-clock-ahead': { why: 'Clocks may differ by up to five minutes.', skewMs: 4 * 60_000 },
  'envelope-clock-behind': { why: 'Clocks may differ by up to five minutes.', skewMs: -4 * 60_000 },
  'envelope-clock-ahead-no-date': {
    why: 'Without Date the timestamp is compared with the client’s clock, which may differ by up to five minutes.',
    skewMs: 4 * 60_000,
    wrap: everyHeader((headers) => headers.delete('date')),
  },
  'envelope-times-basic': {
    why: 'ISO 8601 has a basic form without punctuation.',
    wrap: times((ms) => `${iso(ms).slice(0, 19).replace(/[-:]/g, '')}Z`),
  },
  'envelope-times-ordinal': {
    why: 'ISO 8601 has dates of a year and a day, too.',
    wrap: times((ms) => `${iso(ms).slice(0, 5)}${String(dayOf(ms)).padStart(3, '0')}${iso(ms).slice(10)}`),
  },
  'envelope-times-comma': {
    why: 'ISO 8601 allows a decimal comma, and any number of digits.',
    wrap: times((ms) => iso(ms).replace('.', ',').replace('Z', '000000Z')),
  },
  'envelope-times-lower-case': {
    why: 'Date-times may be written in lower case.',
    wrap: times((ms) => iso(ms).toLowerCase()),
  },
  'envelope-times-behind-utc': {
    why: 'Date-times may have any offset.',
    wrap: times((ms) => iso(ms - behindUtc).replace('Z', '-0530')),
  },
  'envelope-request-ids-counted': {
    why: 'The form of request_id is open.',
    wrap: (honest, clock) => requestIds(String)(honest, clock),
  },
  'envelope-request-ids-long': {
    why: 'The form of request_id is open.',
    wrap: (honest, clock) => requestIds((count) => `${'Ω/'.repeat(200)}${count}`)(honest, clock),
  },
  'envelope-request-ids-same-on-errors': {
    why: 'Whether errors have a request_id of their own is open.',
    wrap: (honest, clock) => requestIds((count, success) => (success ? `r${count}` : 'gateway'))(honest, clock),
  },
});
