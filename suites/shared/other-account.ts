// The account beside the one that a case writes on: what is refused may be tried there as well.
import type { Api, Company, Credential, Tools } from '../../lib/index.ts';

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
