// Tells which account a session acts on, by billing or by a key that it creates.
import type { Api, Call, Tools } from '../../lib/index.ts';
import { numberIn, scalarValuesOf } from '../shared/answer.ts';
import { keyBy, revokeKey } from '../shared/keys.ts';
import type { View } from '../shared/switch.ts';
import { validate } from '../shared/validate.ts';

/** Balances closer than this, absolutely or as a share, may become equal while others spend credits. */
const [apartMin, apartShare] = [20, 0.05];

/** Whether billing cannot distinguish the two accounts, so that only keys can. */
export const areAlike = (one: View, other: View): boolean =>
  one.every((reply, place) => {
    const second = other[place];
    const values = second ? scalarValuesOf(second) : new Map<string, string>();
    return [...scalarValuesOf(reply)].every(([path, value]) => {
      const [a, b] = [numberIn(value), numberIn(values.get(path))];
      if (a === undefined || b === undefined) return value === (values.get(path) ?? value);
      return Math.abs(a - b) < Math.max(apartMin, apartShare * Math.max(Math.abs(a), Math.abs(b)));
    });
  });

/**
 * Creates a key, validates it (or calls `look`) and lets it revoke itself: no other caller is known to be on its
 * account, and another account may have a key with the same number.
 */
export async function tryKey(
  user: Api,
  under: Pick<Call, 'account' | 'undocumented'>,
  { api, make }: Pick<Tools, 'api' | 'make'>,
  look: (key: Api) => Promise<unknown> = (key) => validate(api, key.credential.token),
): Promise<void> {
  const made = await keyBy(user, make.name('key'), make, under);
  if (made === undefined) return;
  const key = user.as(made.credential);
  await look(key);
  await revokeKey(key, made.id);
}
