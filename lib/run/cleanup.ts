// Takes back what a run made and switched, as far as the interface allows; the ledger shows what stayed.
import { type Api, Client, type Connection, type ConnectionOptions, connect } from '../client/client.ts';
import type { Credential } from '../client/credential.ts';
import { Ended, Mismatch, Undecided } from '../client/errors.ts';
import { digestOf, isNamedByRun, type Ledger, type Made, textOf } from '../client/ledger.ts';
import { at, dataOf, identifierOf, type JsonObject, type Reply, wasAccepted } from '../client/reply.ts';
import { type CredentialName, credentialNames } from '../configuration/settings.ts';
import { traverse } from '../expect/traverse.ts';
import { type CredentialStatuses, probe } from '../fixtures/probe.ts';
import { slugsIn } from '../fixtures/slugs.ts';
import { defined } from '../runtime/defined.ts';
import { wordOf } from '../runtime/text.ts';
import { instant } from '../schema/instant.ts';
import { Secrets } from '../secrets/secrets.ts';

/** Who speaks for a credential; undefined where it is not configured. */
export type ApiOf = (credential: string) => Api | undefined;

/** A search for a record whose identifier was never received reads no more pages than this. */
const pagesMax = 20;
/** A request is carried out within so many milliseconds, or its caller has long given up. */
const carriedOutMsMax = 15_000;
/** The Date of a reply has whole seconds, and so may created_at. */
const tickMs = 2_000;

/** The X-Active-Account under which a record is looked for; undefined: none. */
type Account = string | undefined;

const companyPath = (made: Made) => ({ company_id: decodeURIComponent(made.company ?? '') });

/**
 * A key may stand elsewhere than under the header that it was made with: a key that made it is not moved by the header,
 * and the stored active account of a session may have been another one, for a note too.
 */
async function accountsOf(api: Api, made: Made): Promise<readonly Account[]> {
  const session = api.credential.kind === 'session';
  if (made.kind !== 'key' && (!session || made.account !== undefined)) return [made.account];
  const others = session ? slugsIn(await api.send('GET /me/accounts')).map(({ slug }) => slug) : [];
  return [...new Set([made.account, undefined, ...others])];
}

type Removal = 'gone' | 'unknown' | 'refused' | 'there';

/** Once more where its reply was lost: a request of its own then finds nothing, if the first was carried out. */
const remove = (api: Api, made: Made, id: string, account: Account): Promise<Removal> =>
  removeOnce(api, made, id, account).catch((error: unknown) => {
    if (error instanceof Undecided) return removeOnce(api, made, id, account);
    throw error;
  });

async function removeOnce(api: Api, made: Made, id: string, account: Account): Promise<Removal> {
  const under = defined({ account });
  const reply =
    made.kind === 'key'
      ? await api.send('DELETE /api-keys/{key_id}', { path: { key_id: id }, ...under })
      : await api.send('DELETE /companies/{company_id}/notes/{note_id}', {
          path: { ...companyPath(made), note_id: id },
          ...under,
        });
  if (reply.status === 404) return 'unknown';
  if (wasAccepted(reply)) return at(dataOf(reply), 'deleted') === false ? 'there' : 'gone';
  return [400, 403, 409, 410, 422].includes(reply.status) ? 'refused' : 'there';
}

/** Records and the replies that showed them. */
interface Listed {
  readonly items: readonly JsonObject[];
  readonly replies: readonly Reply[];
}

/** A credential that may not see the list has made nothing in it: a note in a foreign company, a key without an account. */
function hiddenFrom({ kind }: Credential, account: Account) {
  const statuses = kind === 'session' && account === undefined ? [400, 403, 404] : [403, 404];
  return (error: unknown): Listed => {
    const last = error instanceof Mismatch ? error.difference.replies?.at(-1) : undefined;
    if (last !== undefined && statuses.includes(last.status)) return { items: [], replies: [] };
    throw error;
  };
}

/** The target's clock ahead of ours in milliseconds, to the second, by the Date of a reply or the time in its envelope. */
function aheadBy({ headers, receivedAt, json }: Reply): number {
  const date = Date.parse(headers.date ?? '');
  const now = Number.isNaN(date) ? instant(wordOf(at(json, 'timestamp') ?? ''))?.ms : date;
  return now === undefined ? 0 : now - receivedAt;
}

/** All records among which one is that was made so. */
function listed(api: Api, made: Made, account: Account): Promise<Listed> {
  const bounds = { limit: 200, pagesMax, ...defined({ account }) };
  return traverse(
    api,
    made.kind === 'key'
      ? { operation: 'GET /api-keys', mode: 'offset', ...bounds }
      : { operation: 'GET /companies/{company_id}/notes', path: companyPath(made), mode: 'cursor', ...bounds },
  ).catch(hiddenFrom(api.credential, account));
}

/**
 * The records that a request without reply may have made: by their text, whatever any clock says, where only this run
 * has such a text. Another may be somebody else's too, so only the very seconds of the request count for it.
 */
function fitting({ items, replies }: Listed, made: Made, surelyOurs: boolean): string[] {
  const ahead = replies.map(aheadBy)[0] ?? 0;
  const fits = items.filter((item) => {
    const late = (instant(wordOf(item.created_at ?? ''))?.ms ?? Number.NaN) - made.at;
    const inTime = surelyOurs || (late >= ahead - tickMs && late <= ahead + tickMs + carriedOutMsMax);
    return digestOf(textOf(made.kind, item)) === made.digest && inTime;
  });
  return fits.flatMap((item) => identifierOf(made.kind, item) ?? []).map(String);
}

/**
 * What repeats requests on the way repeats those with an Idempotency-Key too, which the document promises to count once
 * only for notes: a second key stands then, of which no reply reported. Such keys are taken up into the ledger, where
 * their label names the run: any other label may be that of somebody else's key.
 */
async function adoptDoubles(ledger: Ledger, api: Api, made: readonly Made[]): Promise<void> {
  const [first] = made;
  if (first === undefined) return;
  const { account: _, ...anywhere } = first;
  for (const account of await accountsOf(api, anywhere)) {
    const found = await listed(api, first, account);
    for (const one of made.filter(({ name }) => isNamedByRun(name)))
      for (const id of fitting(found, one, true)) ledger.adopt({ ...one, ...defined({ account }) }, id);
  }
}

const companyMaker = (ledger: Ledger, { company }: Made): string | undefined =>
  company === undefined ? undefined : ledger.makerOfCompany(decodeURIComponent(company));

/** What a credential that must be refused may have made, if the target let it, belongs to the credential that it stood in for. */
function speaker(ledger: Ledger, apiOf: ApiOf, made: Made): Api | undefined {
  const expired = made.credential === 'COVENANT_JWT_EXPIRED';
  if (!expired && (credentialNames as readonly string[]).includes(made.credential)) return apiOf(made.credential);
  const meant = companyMaker(ledger, made) ?? (expired ? 'COVENANT_JWT' : undefined);
  return (meant === undefined ? undefined : apiOf(meant)) ?? apiOf('COVENANT_API_KEY');
}

/** A company of this number that the run has not made, by its name. */
async function isStrangers(ledger: Ledger, api: Api, made: Made, account: Account): Promise<boolean> {
  const path = companyPath(made);
  const reply = await api.send('GET /companies/{company_id}', { path, ...defined({ account }) });
  const name = textOf('company', dataOf(reply));
  return wasAccepted(reply) && !isNamedByRun(name) && !ledger.hasMadeCompany(String(path.company_id), digestOf(name));
}

/**
 * Where each account numbers its keys and companies itself, the same identifier is somebody else's key or note in another
 * account of a session.
 */
async function isAnothers(ledger: Ledger, api: Api, made: Made, id: string, account: Account): Promise<boolean> {
  if (api.credential.kind !== 'session') return false;
  if (made.kind === 'note') return isStrangers(ledger, api, made, account);
  const { items } = await listed(api, made, account);
  const found = items.filter((item) => String(identifierOf('key', item)) === id);
  return found.length > 0 && !found.some((item) => digestOf(textOf('key', item)) === made.digest);
}

/** Whether a list shows it; undefined where there is none to see. */
async function isListed(api: Api, made: Made, id: string, account: Account): Promise<boolean | undefined> {
  const { items, replies } = await listed(api, made, account);
  return replies.length === 0 ? undefined : items.some((item) => String(identifierOf(made.kind, item)) === id);
}

/** What deleting an unknown key answers is open, and a record may be there of which a 404 says that it is not. */
async function isThere(api: Api, made: Made, id: string, account: Account, outcome: Removal): Promise<boolean> {
  if (outcome === 'unknown') return (await isListed(api, made, id, account)) === true;
  return outcome === 'there' || made.kind !== 'key' || (await isListed(api, made, id, account)) !== false;
}

/** Gone once one account has deleted it, or once none of its maker's accounts knows it any more. */
async function removeAnywhere(ledger: Ledger, api: Api, made: Made, id: string): Promise<boolean> {
  let known = false;
  for (const account of await accountsOf(api, made)) {
    if (await isAnothers(ledger, api, made, id, account)) continue;
    const outcome = await remove(api, made, id, account);
    if (outcome === 'gone') return true;
    known ||= await isThere(api, made, id, account, outcome);
  }
  return !known;
}

async function takeBack(ledger: Ledger, api: Api, made: Made, n: number): Promise<void> {
  if (made.id !== undefined) {
    if (await removeAnywhere(ledger, api, made, made.id)) ledger.isNotThere(n);
    return;
  }
  const surelyOurs = isNamedByRun(made.name) || companyMaker(ledger, made) !== undefined;
  for (const account of await accountsOf(api, made)) {
    const found = fitting(await listed(api, made, account), made, surelyOurs);
    for (const id of found) await remove(api, made, id, account);
  }
  ledger.isNotThere(n);
}

/** Trouble with one record must not keep the others from being taken back; it stays in the ledger. */
async function attempt(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (error instanceof Ended) throw error;
  });
}

async function restore(ledger: Ledger, apiOf: ApiOf): Promise<void> {
  for (const { n, change } of ledger.pendingSwitches()) {
    const reply = await apiOf(change.credential)?.send('PATCH /me/active-account', { body: { slug: change.slug } });
    if (reply?.status === 200) ledger.add({ entry: 'restored', n });
  }
}

/** Restores what was switched and deletes what can be deleted, saying how many it has dealt with; rejects with `Ended` where the target stays away. */
export async function cleanUp(
  ledger: Ledger,
  apiOf: ApiOf,
  onDone: (things: number, total: number) => void = () => {},
): Promise<void> {
  await attempt(restore(ledger, apiOf));
  for (const [maker, made] of ledger.keysMade()) {
    const api = apiOf(maker);
    if (api) await attempt(adoptDoubles(ledger, api, made));
  }
  const all = ledger.deletable().map(([n, made]) => ({ n, made, api: speaker(ledger, apiOf, made) }));
  let done = 0;
  // What one credential made is taken back in order; nothing that another one does depends on it.
  const takeAllBack = async (name: string | undefined) => {
    for (const { n, made, api } of all.filter((one) => one.api?.credential.name === name)) {
      if (api) await attempt(takeBack(ledger, api, made, n));
      done += 1;
      onDone(done, all.length);
    }
  };
  const speakers = new Set(all.map(({ api }) => api?.credential.name));
  const ends = await Promise.allSettled([...speakers].map(takeAllBack));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Rejects with `Aborted` where the target cannot be reached or refuses the primary key; the ledger shows what is left. */
export async function cleanUpLater(options: ConnectionOptions, ledger: Ledger): Promise<void> {
  const connection = connect(options, ledger, false);
  const statuses = await probe(connection, new Secrets());
  await cleanUp(ledger, speakersOf(connection, statuses));
}

/** Who cleans up for a credential. */
export const speakersOf =
  (connection: Connection, statuses: CredentialStatuses | undefined): ApiOf =>
  (name) => {
    const credential = statuses?.get(name as CredentialName)?.credential;
    return credential && new Client(connection, credential, 'clean-up');
  };
