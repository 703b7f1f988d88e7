// Where a case writes beside the account and the companies of others: what is refused may be tried there as well.
import type { Api, Company, Context, Credential, Tools } from '../../lib/index.ts';

interface Given extends Pick<Tools, 'effort'> {
  readonly api: Api;
  readonly spare: Credential;
  readonly company?: Company;
  readonly secondary?: Credential;
  readonly foreignCompany?: Company;
}

interface OtherAccount {
  readonly credential: Credential;
  readonly company: Company;
}

/** What a case wants to have one; undefined in a quick run. */
export const otherAccountWants = ['company', 'secondary', 'foreignCompany'] as const;

export function otherAccountOf({
  api,
  spare,
  company,
  secondary,
  foreignCompany,
  effort,
}: Given): OtherAccount | undefined {
  if (effort === 'quick') return undefined;
  if (spare.name !== api.credential.name) return company && { credential: api.credential, company };
  return secondary && foreignCompany && { credential: secondary, company: foreignCompany };
}

/**
 * Shared where the cases are on one account; those of a quick run are spread over all, and make their own. So does a case that
 * is begun anew: of the former one it is not known what it holds.
 */
export const sponsorFor = ({
  api,
  spare,
  spareSponsor,
  make,
  effort,
  attempt,
}: Context<never, 'spare' | 'spareSponsor'>): Promise<Company> =>
  effort === 'quick' || attempt > 1 ? make.company(api.as(spare), { company_type: 'sponsor' }) : spareSponsor();
