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

/** A key is dead once anybody has asked for its revocation, whatever that was answered; or all others are in its place. */
export function revoked(got: readonly Got[]): Trial[] {
  const tokens = tokensOf(got);
  const refusal = refusalOf(got, 401, 'UNAUTHORIZED');
  const asked = got.filter(({ sent }) => sent.method === 'DELETE');
  return asked.flatMap((one) => {
    const token = tokens.get(lastStep(one));
    if (token === undefined) return [];
    const later = got.slice(got.indexOf(one) + 1).filter(({ wire }) => !isRefused(wire));
    const isOwn = ({ request }: Got) => request.headers.authorization === `Bearer ${token}`;
    const refused = (kind: string, some: readonly Got[]) => alteredBy(kind, some, () => refusal);
    return [
      ...refused('a key refused once its revocation was asked for', later.filter(isOwn)),
      ...refused(
        'the other keys refused once one was revoked',
        later.filter((reply) => !isOwn(reply)),
      ),
    ];
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

/** A deletion is answered and not carried out: lists stay as they were before it. */
export function undeleted(got: readonly Got[]): Trial[] {
  const deletions = got.filter((one) => one.sent.method === 'DELETE' && !isRefused(one.wire));
  return deletions.flatMap((deletion) => {
    const list = new URL('.', deletion.sent.url).pathname.slice(0, -1);
    const pages = got.filter(({ sent }) => sent.method === 'GET' && new URL(sent.url).pathname === list);
    const isLater = (page: Got) => got.indexOf(page) > got.indexOf(deletion);
    const shown = pages.findLast((page) => !isLater(page) && without(page, lastStep(deletion)));
    return alteredBy('a deletion without effect', shown ? pages.filter(isLater) : [], () => shown?.wire);
  });
}

/** Of each list apart: the pages after the first, each with what `of` makes of it and of all that came in its traversal before. */
function laterPages(
  kind: string,
  got: readonly Got[],
  of: (page: Got, before: readonly Got[]) => WireReply | undefined,
): Trial[] {
  const pages = got.filter((one) => one.sent.method === 'GET' && parameterOf(one, 'cursor') !== null);
  const isBegin = (one: Got, route: string) => one.route === route && parameterOf(one, 'cursor') === null;
  return groupsBy(pages, ({ route }) => route).flatMap((group) =>
    alteredBy(kind, group, (page) => {
      const before = got.slice(0, got.indexOf(page));
      const begun = before.findLastIndex((one) => isBegin(one, page.route));
      return begun < 0 ? undefined : of(page, before.slice(begun));
    }),
  );
}

/** Lists in the order of the last edit: what is edited while a list is traversed moves to its beginning, and is skipped. */
export const movedByEdits = (got: readonly Got[]): Trial[] =>
  laterPages('a list in the order of edits', got, (page, before) => {
    const edited = before.filter(({ sent, wire }) => sent.method === 'PATCH' && !isRefused(wire));
    return edited.map((edit) => without(page, lastStep(edit))).find((reply) => reply !== undefined);
  });

/** Pages that are counted: what comes while a list is traversed shifts the rest, and from then on each page begins with the last record of the one before. */
export function movedByInserts(got: readonly Got[]): Trial[] {
  const moved = new Set<string>();
  return laterPages('a list whose pages are counted', got, ({ wire, route }, before) => {
    const list = route.replace('GET', 'POST');
    if (before.some((one) => one.route === list && !isRefused(one.wire))) moved.add(route);
    const shown = at(bodyOf(before.findLast((one) => one.route === route)?.wire ?? wire), 'data');
    const body = bodyOf(wire);
    const data = at(body, 'data');
    if (!moved.has(route) || !isObject(body) || !Array.isArray(data) || !Array.isArray(shown)) return undefined;
    return { ...wire, body: JSON.stringify({ ...body, data: [...shown.slice(-1), ...data.slice(0, -1)] }) };
  });
}
