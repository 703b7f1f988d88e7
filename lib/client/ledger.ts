// What a run makes and switches, written down before it is sent, so that whatever ends the run it can be taken back.
import type { OperationId } from '../catalogue/operations.ts';
import type { Residue } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { sha256, wordOf } from '../runtime/text.ts';
import type { Credential } from './credential.ts';
import { at, dataOf, identifierOf, isObject, type RecordKind, type Reply, type Sent, wasAccepted } from './reply.ts';

/** A record that a request is about to make. */
interface Intent {
  readonly kind: RecordKind;
  readonly name: string;
  /** Of the whole text by which the record is found again where no reply said its identifier. */
  readonly digest: string;
  /** Only on notes: the company. */
  readonly company?: string;
  /** The configured credential that makes it and will take it back. */
  readonly credential: string;
  /** The X-Active-Account that it was made under. */
  readonly account?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** `id` is absent where no reply came: whether the record exists is not known. */
export interface Made extends Intent {
  readonly id?: string;
}

/** A stored preference that a run changed: the active account of a session, and what it was before. */
export interface Switch {
  readonly credential: string;
  /** Absent where the session showed no active account. */
  readonly slug?: string;
}

/** Which record it is: two companies may number their notes alike, and two accounts their keys. */
interface Identity {
  readonly kind: RecordKind;
  readonly id: string;
  /** Only on notes. */
  readonly company?: string;
  /** Only on keys: the configured credential in whose account it is; absent where a session may be in any. */
  readonly credential?: string;
  /** Only on keys of a session: the X-Active-Account. */
  readonly account?: string;
}

/** One line of a ledger file. */
export type Entry =
  | { readonly entry: 'run'; readonly id: string; readonly base_url: string; readonly started_at: string }
  | ({ readonly entry: 'intend'; readonly n: number } & Intent)
  | { readonly entry: 'made'; readonly n: number; readonly id: string }
  | { readonly entry: 'refused'; readonly n: number }
  | ({ readonly entry: 'gone' } & Identity)
  | ({ readonly entry: 'switch'; readonly n: number } & Switch)
  | { readonly entry: 'restored'; readonly n: number };

const creations: Partial<Record<OperationId, RecordKind>> = {
  'POST /companies': 'company',
  'POST /contacts': 'contact',
  'POST /companies/{company_id}/notes': 'note',
  'POST /api-keys': 'key',
};
const deletions: Partial<Record<OperationId, RecordKind>> = {
  'DELETE /api-keys/{key_id}': 'key',
  'DELETE /companies/{company_id}/notes/{note_id}': 'note',
};

/** Whether a text carries the mark of one run: nobody else has such a text. */
export const isNamedByRun = (text: string): boolean => /Covenant [0-9a-f]{6} /i.test(text);

export const digestOf = (text: string): string => sha256(text).slice(0, 16);
const companyOf = (url: string): string | undefined => /\/companies\/([^/]+)\/notes/.exec(url)?.[1];

/** The account of a key that a credential reaches: its own, or that which a session names. */
function placeOf({ headers }: Sent, { kind, root, name }: Credential): Pick<Identity, 'credential' | 'account'> {
  if ((root?.kind ?? kind) !== 'session') return { credential: root?.name ?? name };
  const account = headers['x-active-account'];
  return account === undefined ? {} : { credential: root?.name ?? name, account };
}

/** The member of each record that distinguishes it from others. */
const nameMember: Record<RecordKind, string> = { company: 'name', contact: 'last_name', note: 'text', key: 'label' };
export const textOf = (kind: RecordKind, record: unknown): string => wordOf(at(record, nameMember[kind]) ?? '');

/** A person may be called Null, and a company by one letter: another of its texts then says where it came from. */
const markedIn = (kind: RecordKind, record: unknown): string | undefined =>
  (kind === 'contact' || kind === 'company') && isObject(record)
    ? Object.values(record).map(wordOf).find(isNamedByRun)
    : undefined;

/** The record of an earlier request, as the reply to another shows it. */
function isReplayOf(made: Made, earlier: Made): boolean {
  if (made.kind !== earlier.kind || made.id !== earlier.id || made.company !== earlier.company) return false;
  const alike = (['digest', 'credential', 'account'] as const).every((member) => made[member] === earlier[member]);
  return made.kind !== 'key' || alike;
}

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

export class Ledger {
  private readonly records = new Map<number, Made>();
  private readonly switches = new Map<number, Switch>();
  private readonly keys: Made[] = [];
  private readonly write: (entry: Entry) => void;
  private last = 0;

  /** `write` must have stored the entry when it returns. */
  constructor(write: (entry: Entry) => void = () => {}) {
    this.write = write;
  }

  /** Before a request is sent; returns its number where it may make something. */
  intend(sent: Sent, operation: OperationId | undefined, credential: Credential, now: number): number | undefined {
    const kind = operation && creations[operation];
    if (kind === undefined) return undefined;
    const body = parsed(sent.body);
    const text = textOf(kind, body);
    const company = kind === 'note' ? companyOf(sent.url) : undefined;
    const account = sent.headers['x-active-account'];
    const n = this.next();
    this.add({
      entry: 'intend',
      n,
      kind,
      name: (markedIn(kind, body) ?? text).slice(0, 80),
      digest: digestOf(text),
      ...defined({ company }),
      credential: (credential.root ?? credential).name,
      ...defined({ account }),
      at: now,
    });
    return n;
  }

  /**
   * After its reply: what was intended was made or refused, and what was deleted is gone. A 404 proves nothing:
   * a record that is still there answers so without credentials, and under another company or account.
   */
  settle(n: number | undefined, reply: Reply, credential: Credential): void {
    if (n !== undefined) this.settleCreation(n, reply);
    const kind = reply.operation && deletions[reply.operation];
    if (kind === undefined || ![200, 204].includes(reply.status) || at(dataOf(reply), 'deleted') === false) return;
    const id = decodeURIComponent(new URL(reply.request.url).pathname.split('/').at(-1) ?? '');
    const place = kind === 'note' ? { company: companyOf(reply.request.url) } : placeOf(reply.request, credential);
    this.add({ entry: 'gone', kind, id, ...defined(place) });
  }

  /** Before a preference is changed; returns what to call when it is back. */
  switching(change: Switch): () => void {
    const n = this.next();
    this.add({ entry: 'switch', n, ...change });
    return () => this.add({ entry: 'restored', n });
  }

  /**
   * What can be deleted: notes first, then keys, because a key may be the one that made the note; the latest key first,
   * because those that a key has made may end with it.
   */
  deletable(): [n: number, made: Made][] {
    const all = [...this.records];
    const keys = all.filter(([, { kind }]) => kind === 'key');
    return [...all.filter(([, { kind }]) => kind === 'note'), ...keys.reverse()];
  }

  /** The notes that a configured key, or one made by it, made and that are not known to be gone. */
  notesOf(credential: string): { readonly company_id: string; readonly note_id: string }[] {
    const own = this.deletable().filter(([, made]) => made.kind === 'note' && made.credential === credential);
    return own.map(([, { id, company }]) => ({ company_id: decodeURIComponent(company ?? ''), note_id: id ?? '' }));
  }

  /** The latest first; where a session had no active account there is none to go back to. */
  pendingSwitches(): { readonly n: number; readonly change: Required<Switch> }[] {
    return [...this.switches]
      .flatMap(([n, { credential, slug }]) => (slug === undefined ? [] : [{ n, change: { credential, slug } }]))
      .reverse();
  }

  residue(): Residue[] {
    const switched = new Map([...this.switches.values()].map((one) => [`${one.credential} ${one.slug}`, one]));
    const settings = [...switched.values()].map(({ credential, slug }) => ({
      kind: 'setting',
      id: slug ?? 'unknown',
      name: `the active account of ${credential} was ${slug ?? 'none that it showed'}`,
    }));
    const left = [...this.records.values()].map(({ kind, id = 'unknown', name }) => ({ kind, id, name }));
    return [...settings, ...left];
  }

  /** Every key that the run is known to have made, also those that are gone, by the credential that made them. */
  keysMade(): ReadonlyMap<string, readonly Made[]> {
    const makers = [...new Set(this.keys.map(({ credential }) => credential))];
    return new Map(makers.map((maker) => [maker, this.keys.filter(({ credential }) => credential === maker)]));
  }

  /** Whether another credential than this has made a key of that identifier: accounts may number their keys alike. */
  hasKeyBeside(id: string, { root, name }: Pick<Credential, 'root' | 'name'>): boolean {
    const owner = (root ?? { name }).name;
    return this.keys.some((made) => made.id === id && made.credential !== owner);
  }

  /** Takes up a record that no reply showed: something on the way sent the request for this one twice. */
  adopt(made: Made, id: string): void {
    if ([...this.records.values()].some((one) => isReplayOf({ ...made, id }, one))) return;
    const { id: _, ...intent } = made;
    const n = this.next();
    this.add({ ...intent, entry: 'intend', n });
    this.add({ entry: 'made', n, id });
  }

  /** It was looked for and not found, or deleted. */
  isNotThere(n: number): void {
    if (this.records.has(n)) this.add({ entry: 'refused', n });
  }

  /** Who made a company, if this run did: whatever stands in it is the run's own. */
  makerOfCompany(id: string): string | undefined {
    return [...this.records.values()].find((one) => one.kind === 'company' && one.id === id)?.credential;
  }

  hasMadeCompany(id: string, digest: string): boolean {
    return [...this.records.values()].some((one) => one.kind === 'company' && one.id === id && one.digest === digest);
  }

  /** Nothing is left that could be taken back. */
  isClear(): boolean {
    return this.deletable().length === 0 && this.switches.size === 0;
  }

  /** Takes up an entry, its own or one read from a file, without writing it again. */
  apply(entry: Entry): void {
    if ('n' in entry) this.last = Math.max(this.last, entry.n);
    if (entry.entry === 'intend') this.records.set(entry.n, entry);
    if (entry.entry === 'refused') this.records.delete(entry.n);
    if (entry.entry === 'switch') this.switches.set(entry.n, entry);
    if (entry.entry === 'restored') this.switches.delete(entry.n);
    if (entry.entry === 'made') this.applyMade(entry.n, entry.id);
    if (entry.entry === 'gone') this.forget(entry);
  }

  add(entry: Entry): void {
    this.write(entry);
    this.apply(entry);
  }

  private next(): number {
    this.last += 1;
    return this.last;
  }

  private settleCreation(n: number, reply: Reply): void {
    const intent = this.records.get(n);
    if (intent === undefined) return;
    // A gateway's 5xx does not say whether the target carried the request out.
    if (reply.status >= 500) return;
    if (!wasAccepted(reply)) {
      this.add({ entry: 'refused', n });
      return;
    }
    const id = identifierOf(intent.kind, dataOf(reply));
    if (id !== undefined) this.add({ entry: 'made', n, id: String(id) });
  }

  /** A replay shows the record that its first request made. */
  private applyMade(n: number, id: string): void {
    const made = this.records.get(n);
    if (made === undefined) return;
    for (const [other, one] of this.records) if (isReplayOf({ ...made, id }, one)) this.records.delete(other);
    this.records.set(n, { ...made, id });
    if (made.kind === 'key') this.keys.push({ ...made, id });
  }

  /** Where it is not clear which of several it is, none: the clean-up will not find it, and harms none of the others. */
  private forget({ kind, id, company, credential, account }: Identity): void {
    const all = [...this.records].filter(
      ([, made]) => made.kind === kind && made.id === id && made.company === company,
    );
    const own = all.filter(
      ([, made]) => made.credential === credential && (account === undefined || made.account === account),
    );
    for (const [n] of kind === 'key' && all.length > 1 ? own : all) this.records.delete(n);
  }
}
