// Where a session is, asked for by what it does: billing, and a key that it makes.
import { type Api, at, type Call, dataOf, identifierOf, type Tools } from '../../lib/index.ts';
import type { View } from '../shared/account-view.ts';
import { numberIn, scalarValuesOf, wasAccepted } from '../shared/answer.ts';
import { revokeKey } from '../shared/keys.ts';
import { validate } from '../shared/validate.ts';

/** Balances so near to one another, or by so small a share, may meet while others spend from them. */
const [apartMin, apartShare] = [20, 0.05];

/** Billing does not tell the two accounts apart, so that only keys can. */
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
 * A key is made, validated or else looked at, and revoked by itself: nobody else is known to be on its account, and another
 * one may number its keys in the same way.
 */
export async function tryKey(
  user: Api,
  under: Pick<Call, 'account' | 'undocumented'>,
  { api, make }: Pick<Tools, 'api' | 'make'>,
  look: (key: Api) => Promise<unknown> = (key) => validate(api, key.credential.token),
): Promise<void> {
  const reply = await user.send('POST /api-keys', { body: { label: make.name('key') }, ...under });
  if (!wasAccepted(reply) || typeof at(dataOf(reply), 'api_key') !== 'string') return;
  const key = user.as(make.credential(user.credential, reply));
  await look(key);
  await revokeKey(key, identifierOf('key', dataOf(reply)));
}
