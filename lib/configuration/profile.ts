// The profile of a run: who declares it, and which of the configured credentials exist there.
import { defaultProfile, type ProfileName, profileNames } from '../catalogue/profiles.ts';
import type { Credentials } from './configured-credentials.ts';
import { didYouMean } from './nearest.ts';
import { credentialNames, existsIn, UsageError } from './settings.ts';
import type { Found } from './settings-sources.ts';

/** @throws UsageError on a name that is none. */
export function checkedProfile({ value, where }: Found): ProfileName {
  const found = profileNames.find((known) => known === value);
  if (found) return found;
  throw new UsageError(
    `${JSON.stringify(value)} (${where}) is none of ${profileNames.join(', ')}${didYouMean(value, profileNames)}`,
  );
}

/** A flag goes before what the product declares. */
export const givenProfile = (flag: string | undefined, declared?: Found): Found | undefined =>
  flag === undefined ? declared : { value: flag, where: '--profile' };

export function chosenProfile(flag: string | undefined, declared?: Found): ProfileName {
  const given = givenProfile(flag, declared);
  return given ? checkedProfile(given) : defaultProfile;
}

/** Those that exist in the profile, and a notice where others are set. */
export function credentialsIn(
  profile: ProfileName | undefined,
  credentials: Credentials,
): { readonly credentials: Credentials; readonly unused: readonly string[] } {
  const foreign: readonly string[] = credentialNames.filter(
    (name) => credentials[name] !== undefined && !existsIn(name, profile),
  );
  return {
    credentials: Object.fromEntries(Object.entries(credentials).filter(([name]) => !foreign.includes(name))),
    unused: foreign.map((name) => `${name} is set and not used: the ${profile} profile has no such credential.`),
  };
}
