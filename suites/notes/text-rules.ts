// Rules for note texts: the reply and the list show every character.
import {
  at,
  bodyOf,
  createNote,
  dataOf,
  editNote,
  grouped,
  idempotencyKeyOf,
  isOutage,
  isShown,
  listNotes,
  listOf,
  pathOf,
  type Reply,
  type Rule,
  recordsIn,
  saysJson,
  tokenOf,
  type World,
  wasAccepted,
  wasThere,
} from '../../lib/index.ts';

type Id = 'notes-text-characters' | 'notes-text-long';

export const texts: Rule<Id> = (world, { expect, count }) => {
  for (const reply of world.replies)
    for (const { shown, sent, by } of showingsIn(reply, world)) {
      if (!sent.every(isKept)) continue;
      const expected = sent.at(-1) ?? '';
      const lost = sent.includes(shown) ? undefined : lostIn(expected, shown);
      const found = { expected, actual: shown, because: by.filter((one) => one !== reply).slice(-1) };
      if (lost) expect(lost, reply, false, 'the text of a note should be kept whole', found);
      else for (const id of idsOf(expected)) count(id, reply);
    }
};

/** A text is taken where its sender had another one taken in the same list; a target may have a maximum above 1,000. */
export const taken: Rule<Id> = (world, { expect }) => {
  const written = world.replies.filter(({ operation }) => operation === createNote || operation === editNote);
  const writes = written.filter((one) => saysJson(one) && !one.undocumented && typeof bodyOf(one)?.text === 'string');
  const byKey = grouped(writes, idempotencyKeyOf);
  // A page that a filter sends in place of each reply is asked for again, under the same key.
  const isOwn = (one: Reply): boolean =>
    !one.mayReplay || (one.status === 403 && byKey.get(idempotencyKeyOf(one))?.length === 1);
  const wayOf = (reply: Reply): string =>
    [world.callers.ownerOf(reply.credential), listOf(pathOf(reply)), reply.request.headers['content-type']].join(' ');
  const ways = new Set(writes.filter(wasAccepted).map(wayOf));
  const mayHaveEnded = (reply: Reply): boolean =>
    world.keys.of(tokenOf(reply)) !== undefined && !world.keys.isLive(tokenOf(reply), reply);
  for (const reply of writes) {
    const [text, { status }] = [textOf(reply), reply];
    const [id] = idsOf(text).toReversed();
    const isOpen = [401, 404, 409, 429].includes(status) || (status >= 500 && !isOutage(reply)) || wasAccepted(reply);
    const mayBeTooLong = [...text].length > longMin && [400, 413, 422].includes(status);
    if (id === undefined || isOpen || !isOwn(reply) || mayBeTooLong || !isKept(text)) continue;
    if (!ways.has(wayOf(reply)) || !wasThere(reply, world) || mayHaveEnded(reply)) continue;
    const found = { expected: '2xx, as for other texts', actual: status };
    expect(id, reply, false, 'the text of a note should be accepted', found);
  }
};

interface Showing {
  readonly shown: string;
  /** The texts that the reply may show. */
  readonly sent: readonly string[];
  readonly by: readonly Reply[];
}

const textOf = (reply: Reply): string => String(bodyOf(reply)?.text ?? '');
const shownBy = (reply: Reply): unknown => at(dataOf(reply), 'text');

/** The text in the reply to a write, or the texts of a list. */
function showingsIn(reply: Reply, world: World): readonly Showing[] {
  const { operation, mayReplay } = reply;
  if (!isShown(reply)) return [];
  if (operation !== listNotes) {
    const shown = operation === createNote || operation === editNote ? shownBy(reply) : undefined;
    return typeof shown === 'string' && !mayReplay ? [{ shown, sent: [textOf(reply)], by: [reply] }] : [];
  }
  return recordsIn(reply).flatMap((record): Showing[] => {
    const { text: shown } = record;
    const timeline = world.shown('note', reply, record)?.members.get('text');
    const by = (timeline?.possible(world.windowOf(reply)) ?? []).map((one) => one.by);
    // If a reply already showed the text like this, that reply is judged.
    const isOpen = by.length === 0 || by.some((one) => one.undocumented || shownBy(one) === shown);
    return typeof shown === 'string' && !isOpen ? [{ shown, sent: by.map(textOf), by }] : [];
  });
}

const longMin = 1000;
const special = /[\n\r\t"'\\<>&\u{10000}-\u{10ffff}]/u;
const idsOf = (text: string): readonly Id[] => [
  ...(special.test(text) ? (['notes-text-characters'] as const) : []),
  ...([...text].length >= longMin ? (['notes-text-long'] as const) : []),
];

/** A text in its normal form, of ordinary characters. */
const isKept = (text: string): boolean =>
  text === text.trim() &&
  text === text.normalize('NFC') &&
  !/[\p{Cc}\p{Cs}\ufeff]/u.test(text.replace(/[\n\r\t]/g, ''));

/** Letters and digits, without entities. */
const plain = (text: string): string => text.replace(/&#?\w+;|[^\p{L}\p{N}]|[\u{10000}-\u{10ffff}]/gu, '');
const withoutTags = (text: string): string => plain(text.replace(/<[^<>]*>/g, ''));

/** The requirement that a changed text violates; undefined where it is another text. */
function lostIn(sent: string, shown: string): Id | undefined {
  const ids = idsOf(sent);
  const isSame = [plain, withoutTags].some((of) => of(sent) === of(shown));
  if (isSame) return ids.find((id) => id === 'notes-text-characters');
  const isCut = plain(shown).length < plain(sent).length && plain(sent).startsWith(plain(shown));
  return isCut ? ids.find((id) => id === 'notes-text-long') : undefined;
}
