// What GET /me says of a user.
import { isObject, walk } from '../../lib/index.ts';

const scopeLike = /^[a-z_-]+[:.][a-z_*.-]+$/i;

/** What a profile says of its user: everything but scopes, which two users may share or not. */
export const profileOf = (data: unknown): string =>
  walk(data)
    .filter(({ value }) => !isObject(value) && !Array.isArray(value))
    .filter(({ value }) => !(typeof value === 'string' && scopeLike.test(value)))
    .filter(({ path }) => !path.includes('platform'))
    .map(({ path, value }) => `${path.filter((step) => typeof step === 'string').join('.')}=${JSON.stringify(value)}`)
    .sort()
    .join('\n');
