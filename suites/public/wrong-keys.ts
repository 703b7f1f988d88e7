// Texts that are no live key, and look like one: never issued, altered, or the part that lists show.
import { type Api, type Context, itemsOf, type Random } from '../../lib/index.ts';
import { keyPrefix } from '../shared/keys.ts';

/** Another letter, and not the same one in other case, in which a key may be read. */
const changedAt = (key: string, index: number): string =>
  key.slice(0, index) + (/x/i.test(key.charAt(index)) ? 'y' : 'x') + key.slice(index + 1);

type Wrong = [name: string, key: string];

const alteredOf = { quick: 0, standard: 2, thorough: 3 } as const;

/** Keys that nobody holds: one never issued, and the live one with a changed character. */
export function wrongKeys(live: string, random: Random, effort: Context<never, never>['effort']): Wrong[] {
  const never = `${keyPrefix}${random.uuid()}${random.uuid()}`.replaceAll('-', '');
  // Between what is shown of a key and its end: by both a careless look-up may find it.
  const middle = Math.floor(live.length / 2) + random.int(-4, 4);
  const altered: readonly Wrong[] = [
    ['KEY_CHANGED_AT_ITS_END', changedAt(live, live.length - 1)],
    ['KEY_WITH_MORE', `${live}x`],
  ];
  // A validation is dear; that the others are refused as tokens is tried everywhere.
  const cut: Wrong = ['KEY_WITHOUT_ITS_END', live.slice(0, -1)];
  const tried = [cut, ...random.shuffled(altered)].slice(0, alteredOf[effort]);
  return [['NEVER_ISSUED_KEY', never], ['KEY_CHANGED_IN_ITS_MIDDLE', changedAt(live, middle)], ...tried];
}

/** What lists show of a live key, the caller's own if that is among them: no secret, and no key. */
export async function visibleParts(api: Api, effort: Context<never, never>['effort']): Promise<readonly string[]> {
  if (effort === 'quick') return [];
  const { token = '' } = api.credential;
  const prefixes = itemsOf(await api.send('GET /api-keys')).flatMap(({ key_prefix: prefix }) =>
    typeof prefix === 'string' && prefix !== '' && prefix.length < token.length ? [prefix] : [],
  );
  const own = prefixes.filter((prefix) => token.startsWith(prefix));
  return [...own, ...prefixes].slice(0, 1);
}

/** What a database may take for a condition that some key fulfils. */
const operators: readonly unknown[] = [{ $ne: null }, { $gt: '' }, { $exists: true }, { $regex: '.*' }, { $nin: [] }];
/** What equals some text in a loose comparison, or leaves the condition out. */
const loose: readonly unknown[] = [[], [null], ['%'], [[]], true, 0, 1, null, { api_key: { like: '%' } }];

/** Values that are no texts, of each kind so many. */
export const noTexts = (random: Random, count: number): readonly unknown[] =>
  [operators, loose].flatMap((values) => random.shuffled(values).slice(0, count));
