// Companies of an organization, where one may be had.
import { type Api, type Company, knownOrganization, type Tools } from '../../lib/index.ts';
import { ifPossible } from './attempt.ts';

/** Undefined where none is made so. */
export const linkedCompany = async (api: Api, make: Tools['make'], account?: string): Promise<Company | undefined> =>
  ifPossible(make.company(api, { org_id: await knownOrganization(api, account) }, account));
