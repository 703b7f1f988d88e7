// The profiles: which part of the interface a target declares to offer, by the kinds of credentials that exist there.
import type { OperationId } from './operations.ts';

/** The kinds of the document (Authentication): API keys, and the JWTs of sessions. */
export type CredentialKind = 'key' | 'session';

interface Profile {
  readonly credentials: readonly CredentialKind[];
  readonly meaning: string;
}

/** Requirements that need a credential missing in a profile are out of its scope. */
export const profiles = {
  full: { credentials: ['key', 'session'], meaning: 'the whole interface' },
  'server-to-server': {
    credentials: ['key'],
    meaning: 'the interface without sessions: what needs a JWT is out of scope',
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

export const profileNames = Object.keys(profiles) as ProfileName[];

/** Where none is declared. */
export const defaultProfile = 'full' satisfies ProfileName;

/** Their reply to a key is open: only a session is sure to see a success. */
export const servedToSessions: readonly OperationId[] = ['PATCH /me/active-account'];

export const hasKind = (profile: ProfileName, kind: CredentialKind): boolean =>
  profiles[profile].credentials.some((one) => one === kind);
