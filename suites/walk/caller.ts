// Callers with their optional headers, and credentials that must be refused.
import { type Api, anonymous, type Call, type Credential, type Tools } from '../../lib/index.ts';
import * as tokens from '../shared/invalid-tokens.ts';

export interface Caller {
  readonly api: Api;
  /** Headers of each of its calls. */
  readonly under?: Call;
}

/** Credentials of every kind that must be refused. */
export function unauthenticatedCallers(
  { credential }: Api,
  tools: Pick<Tools, 'random' | 'invalid'>,
  session: Credential | undefined,
): readonly Credential[] {
  const further = [...tokens.furtherMalformedTokens(tools), ...tokens.furtherUnknownKeys(tools, credential)];
  return tools.random.shuffled([
    anonymous,
    ...tokens.malformedTokens(tools),
    ...tokens.unknownKeys(tools),
    ...tokens.alteredKeys(tools, credential),
    ...further.map((one) => tokens.forgedCredential(one, tools)),
    ...(session ? tokens.ofSigned(() => tokens.tamperedSignatures(tools, session)) : []),
  ]);
}
