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

/** What every case gets, and its only way out: no socket, no clock and no randomness of the machine. */
export interface Tools {
  /** Sends with the primary key. */
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly effort: Effort;
  /** Counted from 1: a case starts again if the network left its result open. */
  readonly attempt: number;
  /** Creates records, which the run counts and deletes at its end. */
  readonly make: Maker;
  readonly limits: Limits;
  /** A credential that the target must refuse; its token is never printed. */
  invalid(name: string, token: string): Credential;
  /** Whether another credential has made a key of that identifier in this run: accounts may number their keys alike. */
  hasOtherKeyOfId(id: number | string, credential: Credential): boolean;
  /** Runs at the end, after every other case: reads of what must have lasted. */
  atEnd(work: () => Promise<void>): void;
  /** Records a stored preference before a case changes it; call the result once the case has restored it. */
  switching(change: Switch): () => void;
}

/** For cases that exceed a limit on purpose, or send many requests at once. */
interface Limits {
  /**
   * Requests a minute of the credential's account: what GET /me reports, or on the exhausted account what is
   * configured; undefined if neither says.
   */
  reported(credential: Credential, rate: RateClass): number | undefined;
  /**
   * Waits for a minute without a request of this class by these credentials. Validations are limited for the whole
   * client: no other case validates until this one has ended.
   */
  quiet(credentials: readonly Credential[], rate: RateClass): Promise<void>;
  /** Waits until `count` requests of this class fit into the credential's allowance at once: before a race. */
  room(credential: Credential, rate: RateClass, count: number): Promise<void>;
  /** How many requests of this class fit into the credential's allowance now. */
  free(credential: Credential, rate: RateClass): number;
  /**
   * Waits until `count` requests of this class fit, and keeps them for the caller: every other request of the class
   * waits until the returned function is called.
   */
  reserve(credential: Credential, rate: RateClass, count: number): Promise<() => void>;
  readonly minuteMs: number;
}

export interface Judge<Id extends RequirementId | OwnId> {
  /**
   * Judges a requirement: an error thrown inside fails it, one thrown outside only blocks the case. Resolves when the
   * check is decided, also when it failed. `operation`: for a duty of every operation.
   */
  check(id: Id & (JudgedId | OwnId), expectation: () => void | Promise<void>, operation?: OperationId): Promise<void>;
  /** The target leaves out what the requirement is about, and may: it is observed, not untested. */
  notOffered(id: Id & (JudgedId | OwnId), how: string, ...replies: readonly Reply[]): void;
  /** Records what the target does where the document is silent. */
  observe(id: Id & (ObservedId | OwnId), answer: string, ...replies: readonly Reply[]): void;
}

export type Context<
  Id extends RequirementId | OwnId,
  Need extends FixtureName = never,
  Want extends FixtureName = never,
> = Tools & Judge<Id> & Pick<Fixtures, Need> & Partial<Pick<Fixtures, Want>>;

/** One number, or one each for a quick, a standard and a thorough run. */
export type Figure = number | readonly [quick: number, standard: number, thorough: number];

export interface CaseOptions<Need extends FixtureName, Want extends FixtureName = never> {
  /** What the target must offer, and the records to start from. */
  readonly needs?: readonly Need[];
  /** What the case uses if the target offers it. */
  readonly wants?: readonly Want[];
  /** Sends writes, itself or through its needs; about how many of its own, if more than one. */
  readonly writes?: true | Figure;
  /** About how many reads it sends, if more than a few. */
  readonly reads?: Figure;
  /** About how many requests it sends without valid credentials, if more than a few. */
  readonly refused?: Figure;
  /** About how many keys it validates. The case that exceeds the limit of validations waits for it. */
  readonly validates?: Figure;
  /** At most how many of its records stay, because the interface cannot delete them. */
  readonly leaves?: { readonly companies?: Figure; readonly contacts?: Figure };
  /** Exceeds a limit on purpose: runs in parallel only with cases on other accounts, otherwise last. */
  readonly exhausts?: true;
  /** Compares nothing with its earlier replies: if memory is short, those may be dropped first. */
  readonly forgets?: true;
  /** Left out of a quick run: the whole case, or the observations whose writes serve nothing else. */
  readonly beyondQuick?: true | readonly ObservedId[];
  /** Sends what cases of other areas also send: left out of a run that is limited to areas or requirements. */
  readonly sentElsewhere?: true;
  /** Requirements judged on every reply, for which this case provides replies. */
  readonly feeds?: readonly JudgedId[];
  /** Requirements that it judges if the target allows it, and that another case always judges. */
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
  /** Holds for every reply, also to input that the document leaves open. */
  readonly anyInput?: true;
  /** Rests on the target's clock, or on ours: if either was set during the run, it proves nothing. */
  readonly byClock?: true;
  /** `past` holds what earlier replies left. */
  readonly judge: (reply: Reply, past: Map<string, Reply>) => void;
}

export interface Suite {
  readonly area: Area | 'own';
  /** The user's own rules; absent if it judges the document's. */
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

/** One setup and its checks. Every identifier must be judged or observed at least once. */
export function conforms<
  const Id extends RequirementId | OwnId,
  const Need extends FixtureName = never,
  const Want extends FixtureName = never,
>(
  ids: Id | readonly Id[],
  options: CaseOptions<Need, Want>,
  run: (context: Context<Id, Need, Want>) => Promise<void>,
): Case {
  // The types above bind a case to what it declares; from here on any runner that provides everything may run it.
  return { kind: 'case', ids: [ids].flat() as RequirementId[], ...options, run: run as unknown as Case['run'] };
}

export const everyReply = (
  id: JudgedId | OwnId,
  scope: Pick<Invariant, 'over' | 'applies' | 'anyInput' | 'byClock'>,
  judge: Invariant['judge'],
): Invariant => ({
  kind: 'invariant',
  id: id as JudgedId,
  // The user's own rules judge every reply, also to input that the document leaves open.
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
