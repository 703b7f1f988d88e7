// What a server answers that carries out what it should not, or loses its place: the replies that come after a write, changed by it.
import { at, isObject } from '../client/reply.ts';
import type { WireReply } from '../client/transports/transport.ts';
import { alteredBy, type Got, groupsBy, isRefused, type Trial } from './got.ts';
import { bodyOf } from './perturbations.ts';

const lastStep = ({ sent }: Got): string => new URL(sent.url).pathname.split('/').at(-1) ?? '';
const parameterOf = ({ sent }: Got, name: string): string | null => new URL(sent.url).searchParams.get(name);

/** By identifier, the token of each key that was made. */
function tokensOf(got: readonly Got[]): ReadonlyMap<string, string> {
  const created = got.map(({ wire }) => at(bodyOf(wire), 'data'));
  return new Map(
    created.flatMap((data) => {
      const token = at(data, 'api_key');
      return typeof token === 'string' ? [[String(at(data, 'id')), token] as const] : [];
    }),
  );
}

/** As the target refuses, or else as the document does. */
function refusalOf(got: readonly Got[], status: number, code: string): WireReply {
  const body = JSON.stringify({ request_id: 'r', error: { code, message: 'Refused' } });
  return got.find(({ wire }) => wire.status === status)?.wire ?? { status, headers: {}, body };
}

/** A key is dead once anybody has asked for its revocation, whatever that was answered. */
export function revoked(got: readonly Got[]): Trial[] {
  const tokens = tokensOf(got);
  const refusal = refusalOf(got, 401, 'UNAUTHORIZED');
  const asked = got.filter(({ sent }) => sent.method === 'DELETE');
  return asked.flatMap((one) => {
    const token = tokens.get(lastStep(one));
    if (token === undefined) return [];
    const later = got.slice(got.indexOf(one) + 1);
    const own = later.filter(
      ({ request, wire }) => request.headers.authorization === `Bearer ${token}` && !isRefused(wire),
    );
    return alteredBy('a key refused once its revocation was asked for', own, () => refusal);
  });
}

/** One of several equal reads finds nothing. */
export function lost(got: readonly Got[]): Trial[] {
  const refusal = refusalOf(got, 404, 'NOT_FOUND');
  const reads = got.filter(({ sent, wire }) => sent.method === 'GET' && !isRefused(wire));
  return groupsBy(reads, ({ route, sent: { headers } }) => JSON.stringify([route, headers]))
    .filter(({ length }) => length > 1)
    .flatMap((group) => alteredBy('a read that finds nothing', group.slice(-1), () => refusal));
}

const showsIdentifier = (record: unknown, id: string): boolean =>
  isObject(record) && Object.values(record).some((value) => String(value) === id);

/** The page without the record; undefined where it does not show it. */
function without({ wire }: Got, id: string): WireReply | undefined {
  const body = bodyOf(wire);
  const data = at(body, 'data');
  if (!isObject(body) || !Array.isArray(data) || !data.some((one) => showsIdentifier(one, id))) return undefined;
  return { ...wire, body: JSON.stringify({ ...body, data: data.filter((one) => !showsIdentifier(one, id)) }) };
}

type Members = Readonly<Record<string, unknown>>;

function sentBy({ sent }: Got): Members {
  const body = bodyOf({ status: 200, headers: {}, body: sent.body ?? '' });
  return isObject(body) ? body : {};
}

/** The body with these members in the record, wherever it shows it; undefined where it does not. */
function showing({ wire }: Got, id: string, members: Members): WireReply | undefined {
  const body = bodyOf(wire);
  const data = at(body, 'data');
  const records = Array.isArray(data) ? data : [data];
  if (!isObject(body) || !records.some((one) => showsIdentifier(one, id))) return undefined;
  const shown = records.map((one) => (showsIdentifier(one, id) ? { ...Object(one), ...members } : one));
  return { ...wire, body: JSON.stringify({ ...body, data: Array.isArray(data) ? shown : shown[0] }) };
}

/** An edit is answered and not carried out: until the next one the record shows what the edit before had written. */
export function withoutEffect(got: readonly Got[]): Trial[] {
  const edits = got.filter((one) => one.sent.method === 'PATCH' && !isRefused(one.wire));
  return groupsBy(edits, lastStep).flatMap((group) =>
    group.slice(1).flatMap((edit, index) => {
      const next = group[index + 2];
      const looks = got.slice(got.indexOf(edit) + 1, next && got.indexOf(next));
      const before = Object.entries(sentBy(group[index] ?? edit)).filter(([name]) => name in sentBy(edit));
      return alteredBy(
        'an edit without effect',
        looks.filter(({ sent }) => sent.method === 'GET'),
        (look) => showing(look, lastStep(edit), Object.fromEntries(before)),
      );
    }),
  );
}

/** Lists in the order of the last edit: what is edited while a list is traversed moves to its beginning, and is skipped. */
export function movedByEdits(got: readonly Got[]): Trial[] {
  const edits = got.flatMap((one, index) =>
    one.sent.method === 'PATCH' && !isRefused(one.wire) ? [{ id: lastStep(one), index }] : [],
  );
  const begun = (page: number, route: string): number =>
    got.findLastIndex((one, index) => index < page && one.route === route && parameterOf(one, 'cursor') === null);
  const pages = got.filter((one) => one.sent.method === 'GET' && parameterOf(one, 'cursor') !== null);
  return alteredBy('a list in the order of edits', pages, (page) => {
    const at = got.indexOf(page);
    const since = begun(at, page.route);
    const moved = edits.filter(({ index }) => since >= 0 && index > since && index < at);
    return moved.map(({ id }) => without(page, id)).find((reply) => reply !== undefined);
  });
}
