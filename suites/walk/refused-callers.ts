// Others who ask right after each write: those with bad tokens, and one without an account, find closed what was closed before.
import { type Api, anonymous, type Call, type Credential, lagMsMax, operations, type Tools } from '../../lib/index.ts';
import { protectedReads } from '../shared/groups.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { afterEach } from './caller.ts';

/** What a scope opens, and what is open to everybody who is let in. */
const asked = ['GET /billing/credits/balance', 'GET /me/team-accounts', 'GET /billing/summary', 'GET /me'] as const;

export interface Others {
  /** A session without an account, whose reads nobody else needs. */
  readonly homeless?: Credential | undefined;
  /** A key whose user lacks rights, which it lacks whatever others did. */
  readonly restricted?: Credential | undefined;
  /** A key that was revoked, as soon as there is one. */
  readonly revoked?: () => Credential | undefined;
  /** From which forged tokens are made. */
  readonly session?: Credential | undefined;
}

/** Whom nobody lets in, of every kind. */
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

/** One of each kind takes its turn, and the writer itself; what they are answered the rules judge. */
export function refusedCallers(
  api: Api,
  tools: Pick<Tools, 'random' | 'invalid' | 'clock'>,
  { homeless, restricted, revoked, session }: Others,
): (writer: Api, beside: Call) => Promise<void> {
  const random = tools.random.derive('onlookers');
  const strangers = unauthenticatedCallers(api, { ...tools, random }, session);
  let dead: { readonly credential: Credential; readonly since: number } | undefined;
  // That it is refused for good is a duty of its own.
  const fresh = (): Credential | undefined => {
    const credential = revoked?.();
    if (credential && !dead) dead = { credential: { ...credential, accounts: [] }, since: tools.clock.now() };
    return dead && tools.clock.now() < dead.since + lagMsMax ? dead.credential : undefined;
  };
  const theirs = random.shuffled(protectedReads);
  const own = random.shuffled(protectedReads);
  // Like the key that has just written, which a server may have at hand: one of them each time.
  const likes = new Map<string, readonly Credential[]>();
  const likeOf = ({ credential }: Api): Credential | undefined => {
    if (credential.kind !== 'key') return undefined;
    const invalid: Tools['invalid'] = (name, token) => tools.invalid(`${name}, of ${credential.name}`, token);
    const forge = () => random.shuffled(tokens.alteredKeys({ random, invalid }, credential));
    const [first, ...rest] = likes.get(credential.name) ?? forge();
    likes.set(credential.name, rest);
    return first;
  };
  let turn = 0;
  return async (writer, beside) => {
    const place = turn++;
    // Before all others: what the writer was let in with may still be lying about.
    const poor = place % 3 === 2 ? (restricted ?? homeless) : homeless;
    const poorRead = poor && api.as(poor).send(asked[place % asked.length] ?? 'GET /me');
    // Another pair each time round.
    const theirReads = [2 * place, 2 * place + 1].map((again) => {
      const stranger = strangers[(again + Math.floor(again / theirs.length)) % strangers.length] ?? anonymous;
      const operation = theirs[again % theirs.length] ?? 'GET /me';
      const other = again % 3 === 0 ? fresh() : again % 3 === 1 ? likeOf(writer) : undefined;
      return api.as(other ?? stranger).send(operation);
    });
    // At once: none of them changes anything, and the writer waits for all.
    await Promise.all([poorRead, ...theirReads, writer.send(own[place % own.length] ?? 'GET /me', beside)]);
  };
}

/** Sends as the api does, and has others ask after each write. */
export const followed = (api: Api, ask: ReturnType<typeof refusedCallers>): Api =>
  afterEach(api, async (_, operation, { account }, sender) => {
    if (operations[operation].rate === 'write') await ask(sender, account === undefined ? {} : { account });
  });
