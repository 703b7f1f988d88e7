// A second account and company, where refused writes may be tried, too.
import type { Company, Context, Fixtures } from '../../lib/index.ts';

/** Fixtures for a second account, which a quick run does not use. */
export const otherAccountWants = ['company', 'secondary', 'foreignCompany'] as const;
type Given = Context<never, 'spare'> & Partial<Pick<Fixtures, (typeof otherAccountWants)[number]>>;

export function otherAccountOf({ api, spare, company, secondary, foreignCompany, effort }: Given) {
  if (effort === 'quick') return undefined;
  if (spare.name !== api.credential.name) return company && { credential: api.credential, company };
  return secondary && foreignCompany && { credential: secondary, company: foreignCompany };
}

/**
 * A shared sponsor, as the cases use one account. A quick run spreads its cases over all accounts, and a repeated case
 * does not know the state of the shared one: both create their own.
 */
export const sponsorFor = (context: Context<never, 'spare' | 'spareSponsor'>): Promise<Company> => {
  const { api, spare, spareSponsor, make, effort, attempt } = context;
  const isOwn = effort === 'quick' || attempt > 1;
  return isOwn ? make.company(api.as(spare), { company_type: 'sponsor' }) : spareSponsor();
};
