// What a run creates and switches, recorded before it is sent, so that it can be undone however the run ends.
import type { OperationId } from '../catalogue/operations.ts';
import type { Residue } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { sha256, wordOf } from '../runtime/text.ts';
import type { Credential } from './credential.ts';
import { at, dataOf, identifierOf, isObject, type RecordKind, type Reply, type Sent, wasAccepted } from './reply.ts';

/** A record that a request is about to create. */
interface Intent {
  readonly kind: RecordKind;
  readonly name: string;
  /** Digest of the text by which the record is found if no reply named its identifier. */
  readonly digest: string;
  /** Only on notes: the company. */
  readonly company?: string;
  /** The configured credential that creates it and will delete it. */
  readonly credential: string;
  /** The X-Active-Account that it was made under. */
  readonly account?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** `id` is absent if no reply came: the record may not exist. */
export interface Made extends Intent {
  readonly id?: string;
}

/** A stored preference that a run changed: the active account of a session, and what it was before. */
export interface Switch {
  readonly credential: string;
  /** Absent where the session showed no active account. */
  readonly slug?: string;
}

/** Identifies a record: two companies may use the same note numbers, two accounts the same key numbers. */
interface Identity {
  readonly kind: RecordKind;
  readonly id: string;
  /** Only on notes. */
  readonly company?: string;
  /** Only on keys: the configured credential on its account; absent if a session may have been on any. */
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

/** Whether a text contains the mark of a run: nobody else writes such a text. */
export const isNamedByRun = (text: string): boolean => /Covenant [0-9a-f]{6} /i.test(text);

export const digestOf = (text: string): string => sha256(text).slice(0, 16);
const companyOf = (url: string): string | undefined => /\/companies\/([^/]+)\/notes/.exec(url)?.[1];

/** The account of a key that a credential creates: its own, or the one that a session names. */
function placeOf({ headers }: Sent, { kind, root, name }: Credential): Pick<Identity, 'credential' | 'account'> {
  if ((root?.kind ?? kind) !== 'session') return { credential: root?.name ?? name };
  const account = headers['x-active-account'];
  return account === undefined ? {} : { credential: root?.name ?? name, account };
}

/** The member of each record that distinguishes it from others. */
export const nameMember = { company: 'name', contact: 'last_name', note: 'text', key: 'label' } as const;
export const textOf = (kind: RecordKind, record: unknown): string => wordOf(at(record, nameMember[kind]) ?? '');

/** A name may be "Null" or one letter: then another of its texts shows that the run created it. */
const markedIn = (kind: RecordKind, record: unknown): string | undefined =>
  (kind === 'contact' || kind === 'company') && isObject(record)
    ? Object.values(record).map(wordOf).find(isNamedByRun)
    : undefined;

/** Whether the reply shows the record that an earlier request created. */
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

  /** Call before a request is sent; returns the number of the entry if it may create something. */
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
   * Call after its reply: records whether it was created, refused or deleted. A 404 proves nothing: an existing record
   * answers so without credentials, and under another company or account.
   */
  settle(n: number | undefined, reply: Reply, credential: Credential): void {
    if (n !== undefined) this.settleCreation(n, reply);
    const kind = reply.operation && deletions[reply.operation];
    if (kind === undefined || ![200, 204].includes(reply.status) || at(dataOf(reply), 'deleted') === false) return;
    const id = decodeURIComponent(new URL(reply.request.url).pathname.split('/').at(-1) ?? '');
    const place = kind === 'note' ? { company: companyOf(reply.request.url) } : placeOf(reply.request, credential);
    this.add({ entry: 'gone', kind, id, ...defined(place) });
  }

  /** Call before a preference is changed; call the result once it is restored. */
  switching(change: Switch): () => void {
    const n = this.next();
    this.add({ entry: 'switch', n, ...change });
    return () => this.add({ entry: 'restored', n });
  }

  /**
   * What can be deleted: notes first, then keys, because a key may have created the note; the latest key first, because
   * keys may end with their creator.
   */
  deletable(): [n: number, made: Made][] {
    const all = [...this.records];
    const keys = all.filter(([, { kind }]) => kind === 'key');
    return [...all.filter(([, { kind }]) => kind === 'note'), ...keys.reverse()];
  }

  /** The notes that a configured key, or a key made by it, created and that may still exist. */
  notesOf(credential: string): { readonly company_id: string; readonly note_id: string }[] {
    const own = this.deletable().filter(([, made]) => made.kind === 'note' && made.credential === credential);
    return own.map(([, { id, company }]) => ({ company_id: decodeURIComponent(company ?? ''), note_id: id ?? '' }));
  }

  /** The latest first; a session that had no active account has none to restore. */
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

  /** Every key that the run created, also revoked ones, by its creator. */
  keysMade(): ReadonlyMap<string, readonly Made[]> {
    const makers = [...new Set(this.keys.map(({ credential }) => credential))];
    return new Map(makers.map((maker) => [maker, this.keys.filter(({ credential }) => credential === maker)]));
  }

  /** Whether another credential has created a key with this identifier: accounts may use the same numbers. */
  hasOtherKeyOfId(id: string, { root, name }: Pick<Credential, 'root' | 'name'>): boolean {
    const owner = (root ?? { name }).name;
    return this.keys.some((made) => made.id === id && made.credential !== owner);
  }

  /** Adds a record that no reply showed: something on the way sent its request twice. */
  addUnreported(made: Made, id: string): void {
    if ([...this.records.values()].some((one) => isReplayOf({ ...made, id }, one))) return;
    const { id: _, ...intent } = made;
    const n = this.next();
    this.add({ ...intent, entry: 'intend', n });
    this.add({ entry: 'made', n, id });
  }

  /** The record was searched for and not found, or was deleted. */
  isNotThere(n: number): void {
    if (this.records.has(n)) this.add({ entry: 'refused', n });
  }

  /** Which credential of the run created the company, if any: all its records are then the run's. */
  makerOfCompany(id: string): string | undefined {
    return [...this.records.values()].find((one) => one.kind === 'company' && one.id === id)?.credential;
  }

  hasMadeCompany(id: string, digest: string): boolean {
    return [...this.records.values()].some((one) => one.kind === 'company' && one.id === id && one.digest === digest);
  }

  /** Nothing is left to delete or restore. */
  isClear(): boolean {
    return this.deletable().length === 0 && this.switches.size === 0;
  }

  /** Applies an entry, its own or one from a file, without writing it again. */
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

  /** Forgets none if it is unclear which of several it is: the clean-up will not find it, and harms no other. */
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
