// The account slugs that GET /me shows.
import { type Api, slugsIn } from '../../lib/index.ts';

export const slugsInMe = async (api: Api): Promise<readonly string[]> =>
  slugsIn(await api.send('GET /me')).map(({ slug }) => slug);
