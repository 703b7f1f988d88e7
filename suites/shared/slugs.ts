// The account slugs that GET /me and the list of accounts show.
import { type Api, isObject, slugsIn, walk } from '../../lib/index.ts';

export const slugsInMe = async (api: Api): Promise<readonly string[]> =>
  slugsIn(await api.send('GET /me')).map(({ slug }) => slug);

export const hasSlug = (record: unknown): boolean =>
  walk(record).some(
    ({ value }) =>
      isObject(value) && Object.entries(value).some(([name, slug]) => /slug$/i.test(name) && typeof slug === 'string'),
  );
