// Companies of an organization: the document does not say which are known, so one is taken that a company shows.
import { type Api, type Company, itemsOf, type Tools } from '../../lib/index.ts';
import { ifPossible } from './attempt.ts';

/** 1 where no company shows one. */
export async function knownOrganization(api: Api, account?: string): Promise<number> {
  const under = account === undefined ? {} : { account };
  const shown = itemsOf(await api.send('GET /companies', { ...under, query: { limit: 200 } })).map((one) => one.org_id);
  return shown.find((one): one is number => Number.isInteger(one)) ?? 1;
}

/** Undefined where none is made so. */
export const linkedCompany = async (api: Api, make: Tools['make'], account?: string): Promise<Company | undefined> =>
  ifPossible(make.company(api, { org_id: await knownOrganization(api, account) }, account));
