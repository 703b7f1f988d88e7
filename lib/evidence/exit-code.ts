// Which exit code a verification ends with.
import type { Verification } from './verify.ts';

export const verifyCodes = { conformant: 0, notConformant: 1, usage: 2, doesNotFollow: 3, otherVersion: 4 } as const;

export function verifyCode({ outcome, verdict }: Pick<Verification, 'outcome' | 'verdict'>): number {
  if (outcome === 'broken') return verifyCodes.doesNotFollow;
  if (outcome === 'other-version') return verifyCodes.otherVersion;
  return verdict === 'conformant' ? verifyCodes.conformant : verifyCodes.notConformant;
}
