// A second account and company, where refused writes may be tried, too.
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

/** Fixtures for a second account, which a quick run does not use. */
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
 * A shared sponsor, as the cases use one account. A quick run spreads its cases over all accounts, and a repeated case
 * does not know the state of the shared one: both create their own.
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
