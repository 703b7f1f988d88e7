// What a case is: the requirements it judges, what it needs, and one function; and what a suite is: a list of cases.
import { catalogue, type JudgedId, judgedIds, type ObservedId, type RequirementId } from './catalogue/index.ts';
import type { OperationId, RateClass } from './catalogue/operations.ts';
import type { Area, OwnId, OwnRows } from './catalogue/requirement.ts';
import type { Api } from './client/client.ts';
import type { Credential } from './client/credential.ts';
import type { Switch } from './client/ledger.ts';
import type { Reply } from './client/reply.ts';
import type { Effort } from './configuration/settings.ts';
import type { FixtureName, Fixtures } from './fixtures/fixtures.ts';
import type { Maker } from './fixtures/records.ts';
import type { Rules } from './model/judge.ts';
import type { Clock } from './runtime/clock.ts';
import { defined } from './runtime/defined.ts';
import type { Random } from './runtime/random.ts';

/** What every case gets. Nothing else reaches it: no socket, no clock, no randomness of the machine. */
export interface Tools {
  /** Speaks with the primary key. */
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly effort: Effort;
  /** Counted from 1: a case is begun anew where the network left open what it found. */
  readonly attempt: number;
  /** Makes records that the run accounts for and takes back at its end. */
  readonly make: Maker;
  readonly limits: Limits;
  /** A credential that the target must refuse; its token is never printed. */
  invalid(name: string, token: string): Credential;
  /** Whether another credential has made a key of that identifier in this run: accounts may number their keys alike. */
  hasKeyBeside(id: number | string, credential: Credential): boolean;
  /** What happens last in the run, after every other case: looking again at what must have lasted. */
  atEnd(work: () => Promise<void>): void;
  /** Writes down what a stored preference is, before a case changes it; returns what to call when the case has put it back. */
  switching(change: Switch): () => void;
}

/** For the cases that mean to exceed a limit, or to send many requests at once. */
interface Limits {
  /**
   * Requests a minute of the credential's account: what GET /me reports, or where that cannot be read on the account that
   * is exhausted, what is configured; undefined where neither says.
   */
  reported(credential: Credential, rate: RateClass): number | undefined;
  /**
   * Waits until the target's minute has passed without a request of this class by these credentials. Validations are
   * limited for the whole client: no other case validates from then on until this one has ended.
   */
  quiet(credentials: readonly Credential[], rate: RateClass): Promise<void>;
  /** Waits until so many requests of this class fit into the credential's allowance at once: before a race. */
  room(credential: Credential, rate: RateClass, count: number): Promise<void>;
  /** How many requests of this class fit into the credential's allowance now. */
  free(credential: Credential, rate: RateClass): number;
  /**
   * Waits until so many requests of this class fit into the credential's allowance and keeps that room: every other request
   * of the class waits until what is returned is called.
   */
  reserve(credential: Credential, rate: RateClass, count: number): Promise<() => void>;
  readonly minuteMs: number;
}

export interface Judge<Id extends RequirementId | OwnId> {
  /**
   * Judges a requirement: what is expected inside decides it, what is thrown outside of a check only blocks.
   * Resolves when the check is decided, also when it failed; name the operation where the duty is one of every operation.
   */
  check(id: Id & (JudgedId | OwnId), expectation: () => void | Promise<void>, operation?: OperationId): Promise<void>;
  /** For a requirement about something that the target may leave out, and does: it is then observed, not untested. */
  notOffered(id: Id & (JudgedId | OwnId), how: string, ...replies: readonly Reply[]): void;
  /** Records what the target does where the document is silent. */
  observe(id: Id & (ObservedId | OwnId), answer: string, ...replies: readonly Reply[]): void;
}

export type Context<
  Id extends RequirementId | OwnId,
  Need extends FixtureName = never,
  Want extends FixtureName = never,
> = Tools & Judge<Id> & Pick<Fixtures, Need> & Partial<Pick<Fixtures, Want>>;

/** In every run, or in a quick, a standard and a thorough one. */
export type Figure = number | readonly [quick: number, standard: number, thorough: number];

export interface CaseOptions<Need extends FixtureName, Want extends FixtureName = never> {
  /** What the target must offer, and the records to start from. */
  readonly needs?: readonly Need[];
  /** What the case takes where the target offers it, and does without where not. */
  readonly wants?: readonly Want[];
  /** Sends requests of the write class, itself or through what it needs; about how many of its own, where it is more than one. */
  readonly writes?: true | Figure;
  /** About how many reads it sends, where it is more than a few. */
  readonly reads?: Figure;
  /** About how many requests it sends without valid credentials, where it is more than a few. */
  readonly refused?: Figure;
  /** About how many keys it has validated. Whoever exceeds the limit of validations waits for it. */
  readonly validates?: Figure;
  /** At most how many records of its own stay, because the interface offers no way to delete them. */
  readonly leaves?: { readonly companies?: Figure; readonly contacts?: Figure };
  /** Means to exceed a limit: runs beside what uses other accounts only, otherwise after everything else. */
  readonly exhausts?: true;
  /** Compares nothing with what it was answered earlier: where replies are too large to keep all, its own may go first. */
  readonly forgets?: true;
  /** Left out of a quick run: the whole case, or what it observes by writes that nothing else needs. */
  readonly beyondQuick?: true | readonly ObservedId[];
  /** Sends what cases of other areas send as well: left out where a run is narrowed to no areas or requirements. */
  readonly sentElsewhere?: true;
  /** Requirements judged on every reply, for which this case provides replies. */
  readonly feeds?: readonly JudgedId[];
  /** Requirements that it judges where the target allows, and that another case judges in any event. */
  readonly perhaps?: readonly JudgedId[];
  /** The operations whose replies it provides. */
  readonly visits?: OperationId | readonly OperationId[];
  /** The same case a second time, minutes later. */
  readonly again?: true;
}

export interface Case extends CaseOptions<FixtureName, FixtureName> {
  readonly kind: 'case';
  readonly ids: readonly RequirementId[];
  readonly run: (context: Tools & Judge<RequirementId> & Fixtures) => Promise<void>;
}

/** A duty of every reply, whatever case caused it. */
export interface Invariant {
  readonly kind: 'invariant';
  readonly id: JudgedId;
  /** The operations of which at least one such reply must have been seen. */
  readonly over: readonly OperationId[];
  readonly applies: (reply: Reply) => boolean;
  /** It holds whatever was asked: also for replies to what the document leaves open. */
  readonly anyInput?: true;
  /** It rests on the target's clock, or on ours: where either was put, it proves nothing. */
  readonly byClock?: true;
  /** Expects; `past` keeps what earlier replies left behind. */
  readonly judge: (reply: Reply, past: Map<string, Reply>) => void;
}

export interface Suite {
  readonly area: Area | 'own';
  /** The rules of one's own that it judges; absent where it judges the document's. */
  readonly own?: OwnRows;
  readonly cases: readonly (Case | Invariant)[];
  readonly rules?: Rules;
}

/** The cases of one heading of the document, and the rules that judge every exchange of a run by it; or rules of one's own, by their identifiers, with the cases that judge them. */
export function suite(about: Area | OwnRows, cases: readonly (Case | Invariant)[], rules?: Rules): Suite {
  if (typeof about !== 'string') return { area: 'own', own: about, cases, ...defined({ rules }) };
  const onReplies = new Set<RequirementId>(cases.flatMap((one) => (one.kind === 'invariant' ? [one.id] : [])));
  const own = judgedIds.filter((id) => catalogue[id].area === about && !onReplies.has(id));
  const ids = [...new Set([...own, ...(rules?.ids ?? [])])];
  return { area: about, cases, ...defined({ rules: rules && { ...rules, ids } }) };
}

/** One setup, and the checks that it shows. Every identifier must be judged or observed at least once. */
export function conforms<
  const Id extends RequirementId | OwnId,
  const Need extends FixtureName = never,
  const Want extends FixtureName = never,
>(
  ids: Id | readonly Id[],
  options: CaseOptions<Need, Want>,
  run: (context: Context<Id, Need, Want>) => Promise<void>,
): Case {
  // The types above hold a case to what it declares; from here on a runner that provides everything may run it.
  return { kind: 'case', ids: [ids].flat() as RequirementId[], ...options, run: run as unknown as Case['run'] };
}

export const everyReply = (
  id: JudgedId | OwnId,
  scope: Pick<Invariant, 'over' | 'applies' | 'anyInput' | 'byClock'>,
  judge: Invariant['judge'],
): Invariant => ({
  kind: 'invariant',
  id: id as JudgedId,
  // A rule of one's own is about every reply: what the document leaves open means nothing to it.
  ...(id.startsWith('x-') ? { anyInput: true } : {}),
  ...scope,
  judge,
});

/** How a case is named on the terminal and in transcripts. */
export function titleOf({ ids, visits = [], again }: Case): string {
  const [visited, ...others] = [visits].flat();
  const on = visited === undefined ? '' : ` on ${visited}${others.length > 0 ? ` and ${others.length} more` : ''}`;
  return `${ids[0]}${ids.length > 1 ? ` and ${ids.length - 1} more` : ''}${on}${again ? ', again' : ''}`;
}
