// A company of type sponsor in which one case alone writes notes, and one contacts.
import type { Company, Context } from '../../lib/index.ts';

/** Shared where the cases are on one account; those of a quick run are spread over all, and make their own. */
export const sponsorFor = ({
  api,
  spare,
  spareSponsor,
  make,
  effort,
}: Context<never, 'spare' | 'spareSponsor'>): Promise<Company> =>
  effort === 'quick' ? make.company(api.as(spare), { company_type: 'sponsor' }) : spareSponsor();
