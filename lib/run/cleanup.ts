// Deletes what a run created and restores what it switched, as far as the interface allows; the ledger shows what
// stayed.
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

/** The api that cleans up for a credential; undefined if that is not configured. */
export type ApiOf = (credential: string) => Api | undefined;

/** The most pages read to find a record whose identifier is unknown. */
const pagesMax = 20;
/** A request is carried out within this many milliseconds, or never. */
const carriedOutMsMax = 15_000;
/** The Date of a reply has whole seconds, and so may created_at. */
const tickMs = 2_000;

/** The X-Active-Account under which to look for a record; undefined: none. */
type Account = string | undefined;

const companyPath = (made: Made) => ({ company_id: decodeURIComponent(made.company ?? '') });

/**
 * A record may be on another account than the header named: the header does not move a key, and the stored account of a
 * session may have been another one, also for a note.
 */
async function accountsOf(api: Api, made: Made): Promise<readonly Account[]> {
  const session = api.credential.kind === 'session';
  if (made.kind !== 'key' && (!session || made.account !== undefined)) return [made.account];
  const others = session ? slugsIn(await api.send('GET /me/accounts')).map(({ slug }) => slug) : [];
  return [...new Set([made.account, undefined, ...others])];
}

type Removal = 'gone' | 'unknown' | 'refused' | 'there';

/** Sends the deletion again if its reply was lost; it then finds nothing if the first was carried out. */
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

/**
 * A credential that may not read the list has created nothing in it, such as a note in a foreign company or a key
 * without an account.
 */
function hiddenFrom({ kind }: Credential, account: Account) {
  const statuses = kind === 'session' && account === undefined ? [400, 403, 404] : [403, 404];
  return (error: unknown): Listed => {
    const last = error instanceof Mismatch ? error.difference.replies?.at(-1) : undefined;
    if (last !== undefined && statuses.includes(last.status)) return { items: [], replies: [] };
    throw error;
  };
}

/** How far the target's clock is ahead of ours in milliseconds, by the Date of a reply or its timestamp. */
function aheadBy({ headers, receivedAt, json }: Reply): number {
  const date = Date.parse(headers.date ?? '');
  const now = Number.isNaN(date) ? instant(wordOf(at(json, 'timestamp') ?? ''))?.ms : date;
  return now === undefined ? 0 : now - receivedAt;
}

/** All records of the list that the record was created in. */
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
 * The records that a request without reply may have created: by their text, if only this run writes it. Other texts may
 * be somebody else's, so only records from the very seconds of the request count.
 */
function fitting({ items, replies }: Listed, made: Made, hasOwnText: boolean): string[] {
  const ahead = replies.map(aheadBy)[0] ?? 0;
  const fits = items.filter((item) => {
    const late = (instant(wordOf(item.created_at ?? ''))?.ms ?? Number.NaN) - made.at;
    const inTime = hasOwnText || (late >= ahead - tickMs && late <= ahead + tickMs + carriedOutMsMax);
    return digestOf(textOf(made.kind, item)) === made.digest && inTime;
  });
  return fits.flatMap((item) => identifierOf(made.kind, item) ?? []).map(String);
}

/**
 * Something on the way may repeat requests, also with an Idempotency-Key, for which the document promises one record
 * only for notes: then a second key exists that no reply showed. It is added to the ledger if its label names the run:
 * any other label may be somebody else's.
 */
async function addDuplicates(ledger: Ledger, api: Api, made: readonly Made[]): Promise<void> {
  const [first] = made;
  if (first === undefined) return;
  const { account: _, ...anywhere } = first;
  for (const account of await accountsOf(api, anywhere)) {
    const found = await listed(api, first, account);
    for (const one of made.filter(({ name }) => isNamedByRun(name)))
      for (const id of fitting(found, one, true)) ledger.addUnreported({ ...one, ...defined({ account }) }, id);
  }
}

const companyMaker = (ledger: Ledger, { company }: Made): string | undefined =>
  company === undefined ? undefined : ledger.makerOfCompany(decodeURIComponent(company));

/**
 * If a target accepted a credential that it must refuse, its records belong to the credential that it was derived from.
 */
function apiFor(ledger: Ledger, apiOf: ApiOf, made: Made): Api | undefined {
  const expired = made.credential === 'COVENANT_JWT_EXPIRED';
  if (!expired && (credentialNames as readonly string[]).includes(made.credential)) return apiOf(made.credential);
  const meant = companyMaker(ledger, made) ?? (expired ? 'COVENANT_JWT' : undefined);
  return (meant === undefined ? undefined : apiOf(meant)) ?? apiOf('COVENANT_API_KEY');
}

/** Whether the company of this number is not the run's, by its name. */
async function isCompanyOfOthers(ledger: Ledger, api: Api, made: Made, account: Account): Promise<boolean> {
  const path = companyPath(made);
  const reply = await api.send('GET /companies/{company_id}', { path, ...defined({ account }) });
  const name = textOf('company', dataOf(reply));
  return wasAccepted(reply) && !isNamedByRun(name) && !ledger.hasMadeCompany(String(path.company_id), digestOf(name));
}

/**
 * If accounts number their keys and companies separately, the same identifier is somebody else's record on another
 * account of the session.
 */
async function isRecordOfOthers(ledger: Ledger, api: Api, made: Made, id: string, account: Account): Promise<boolean> {
  if (api.credential.kind !== 'session') return false;
  if (made.kind === 'note') return isCompanyOfOthers(ledger, api, made, account);
  const { items } = await listed(api, made, account);
  const found = items.filter((item) => String(identifierOf('key', item)) === id);
  return found.length > 0 && !found.some((item) => digestOf(textOf('key', item)) === made.digest);
}

/** Whether a list shows it; undefined if there is no list. */
async function isListed(api: Api, made: Made, id: string, account: Account): Promise<boolean | undefined> {
  const { items, replies } = await listed(api, made, account);
  return replies.length === 0 ? undefined : items.some((item) => String(identifierOf(made.kind, item)) === id);
}

/** The reply to deleting an unknown key is open, and a 404 may be wrong. */
async function isThere(api: Api, made: Made, id: string, account: Account, outcome: Removal): Promise<boolean> {
  if (outcome === 'unknown') return (await isListed(api, made, id, account)) === true;
  return outcome === 'there' || made.kind !== 'key' || (await isListed(api, made, id, account)) !== false;
}

/** Deleted once one account has deleted it, or none of its maker's accounts knows it any more. */
async function removeAnywhere(ledger: Ledger, api: Api, made: Made, id: string): Promise<boolean> {
  let known = false;
  for (const account of await accountsOf(api, made)) {
    if (await isRecordOfOthers(ledger, api, made, id, account)) continue;
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
  const hasOwnText = isNamedByRun(made.name) || companyMaker(ledger, made) !== undefined;
  for (const account of await accountsOf(api, made)) {
    const found = fitting(await listed(api, made, account), made, hasOwnText);
    for (const id of found) await remove(api, made, id, account);
  }
  ledger.isNotThere(n);
}

/** An error with one record must not keep the others; the record stays in the ledger. */
async function attempt(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (error instanceof Ended) throw error;
  });
}

async function restore(ledger: Ledger, apiOf: ApiOf): Promise<void> {
  for (const { n, change } of ledger.pendingSwitches()) {
    const reply = await apiOf(change.credential)?.send('PATCH /me/active-account', { body: { slug: change.slug } });
    if (reply !== undefined && wasAccepted(reply)) ledger.add({ entry: 'restored', n });
  }
}

/**
 * Restores what was switched and deletes what can be deleted, reporting progress; rejects with `Ended` if the target
 * stays away.
 */
export async function cleanUp(
  ledger: Ledger,
  apiOf: ApiOf,
  onDone: (things: number, total: number) => void = () => {},
): Promise<void> {
  await attempt(restore(ledger, apiOf));
  for (const [maker, made] of ledger.keysMade()) {
    const api = apiOf(maker);
    if (api) await attempt(addDuplicates(ledger, api, made));
  }
  const all = ledger.deletable().map(([n, made]) => ({ n, made, api: apiFor(ledger, apiOf, made) }));
  let done = 0;
  // The records of one credential are deleted in order; credentials do not depend on each other.
  const removeAll = async (name: string | undefined) => {
    for (const { n, made, api } of all.filter((one) => one.api?.credential.name === name)) {
      if (api) await attempt(takeBack(ledger, api, made, n));
      done += 1;
      onDone(done, all.length);
    }
  };
  const credentials = new Set(all.map(({ api }) => api?.credential.name));
  const ends = await Promise.allSettled([...credentials].map(removeAll));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Rejects with `Aborted` if the target cannot be reached or refuses the primary key; the ledger shows what is left. */
export async function cleanUpLater(options: ConnectionOptions, ledger: Ledger): Promise<void> {
  const connection = connect(options, ledger, false);
  const statuses = await probe(connection, new Secrets());
  await cleanUp(ledger, cleanupApis(connection, statuses));
}

/** Finds the api that cleans up for a credential. */
export const cleanupApis =
  (connection: Connection, statuses: CredentialStatuses | undefined): ApiOf =>
  (name) => {
    const credential = statuses?.get(name as CredentialName)?.credential;
    return credential && new Client(connection, credential, 'clean-up');
  };
