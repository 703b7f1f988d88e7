// Runs one case: provides its needs, judges its checks, classifies errors, and repeats it if the network interfered.
import { type Case, type Judge, type Tools, titleOf } from '../case.ts';
import type { JudgedId, ObservedId, RequirementId } from '../catalogue/index.ts';
import type { Difference } from '../client/errors.ts';
import type { Reply } from '../client/reply.ts';
import { type FixtureName, type FixtureSource, type Fixtures, ifPossible } from '../fixtures/fixtures.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import type { Finding, Findings } from './findings.ts';
import { but, type ClockChanges, changedSince, clockSet, type Decision, decide, endedBy, passed } from './verdict.ts';

interface CaseRunOptions {
  readonly title: string;
  readonly clock: Clock;
  readonly findings: Findings;
  /** The requirements that the rules judge. */
  readonly ruled: ReadonlySet<RequirementId>;
  /** For an attempt, counted from 1: a later one must not start from records that an earlier one used up. */
  readonly fixtures: (attempt: number) => FixtureSource;
  /** How many records of the case may exist twice, because a reply was lost. */
  duplicates(): number;
  readonly clockChanges: ClockChanges;
  readonly signal?: AbortSignal;
  /** Schedules work for the end of the run. */
  later(work: () => Promise<void>): void;
  /** The last reply that the case got. */
  lastReply(): Reply | undefined;
  /** It has ended, with all that it put at the end of the run. */
  over(): void;
  /** It creates no more keys for now. */
  left(): void;
  /** For an attempt: each has its own random stream, so that no Idempotency-Key is used again. */
  toolsFor(attempt: number): Omit<Tools, 'atEnd'>;
}

/** Receives the results of an attempt's checks; work at the end of the run writes into a draft of its own. */
interface Sink {
  draft: Draft;
}

/** Attempts of a case that the network leaves open: a fault at every nth request may hit three of them. */
const attemptsMax = 4;
/** Pause between two attempts; the last comes more than 15 seconds after the first. */
const pauseMs = 8_000;
/** After so many milliseconds it does not start again. */
const againWithinMs = 13 * 60_000;

export class CaseRun {
  readonly case: Case;
  readonly title: string;
  /** Why it was stopped before its end. */
  blocked: Decision | undefined;
  private readonly options: CaseRunOptions;
  /** Why some of its `wants` are missing. */
  readonly lacks = new Set<string>();
  /** It has ended, with all that it put at the end of the run. */
  isOver = false;
  private outstanding = 0;
  private runsAgain = 0;
  private duplicatesBefore = 0;
  private begunAt = 0;

  constructor(one: Case, options: CaseRunOptions) {
    this.case = one;
    this.title = options.title;
    this.options = options;
  }

  async run(): Promise<void> {
    await this.untilDecided((draft, attempt) => {
      const sink = { draft };
      return this.perform(sink, attempt, (work) => draft.later.push(() => this.performLater(sink, work)));
    }).finally(this.options.left);
    this.close();
  }

  /** Runs again, because no exchange showed what the rules judge; of its own checks only a failure counts. */
  async runAgain(): Promise<void> {
    const draft = new Draft();
    this.runsAgain += 1;
    await this.stoppedBy(draft, async () => {
      await this.perform({ draft }, attemptsMax + this.runsAgain, (work) => draft.later.push(work));
      for (const work of draft.later) await work();
    }).finally(this.options.left);
    draft.writeFailures(this.options.findings);
  }

  private async perform(sink: Sink, attempt: number, atEnd: Tools['atEnd']): Promise<void> {
    const fixtures = await this.fixtures(this.options.fixtures(attempt));
    await this.case.run({ ...this.options.toolsFor(attempt), atEnd, ...this.judge(sink), ...fixtures });
  }

  private async performLater(sink: Sink, work: () => Promise<void>): Promise<void> {
    await this.untilDecided((draft) => {
      sink.draft = draft;
      return work();
    });
    this.outstanding -= 1;
    this.close();
  }

  private async untilDecided(work: (draft: Draft, attempt: number) => Promise<void>): Promise<void> {
    const { clock, findings, signal, later } = this.options;
    const startedAt = clock.now();
    let suspects: ReadonlySet<string> | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const draft = new Draft();
      this.duplicatesBefore = this.options.duplicates();
      this.begunAt = clock.now();
      const stopped = await this.stoppedBy(draft, () => work(draft, attempt));
      const before = suspects;
      suspects = new Set([...draft.suspects].filter((one) => before?.has(one) ?? true));
      const over = attempt === attemptsMax || signal?.aborted || clock.now() - startedAt > againWithinMs;
      if (over || !(draft.isOpen || stopped?.undecided)) {
        draft.write(findings, attempt === attemptsMax ? suspects : undefined);
        if (stopped) this.block(stopped);
        this.outstanding += draft.later.length;
        for (const one of draft.later) later(one);
        return;
      }
      draft.writeFailures(findings);
      // An interruption ends the pause here, and the next attempt at its first request.
      await clock.sleep(pauseMs, signal).catch(() => {});
    }
  }

  /** Why the attempt did not come to its end, if it did not. */
  private async stoppedBy(draft: Draft, work: () => Promise<void>): Promise<Decision | undefined> {
    try {
      await work();
      await Promise.all(draft.under);
      return undefined;
    } catch (error) {
      await Promise.all(draft.under);
      return this.decided(error, 'preparation');
    }
  }

  private async fixtures(source: FixtureSource): Promise<Fixtures> {
    const had: Partial<Record<FixtureName, unknown>> = {};
    for (const name of this.case.needs ?? []) had[name] = await source.get(name);
    for (const name of this.case.wants ?? []) {
      const wanted = source.get(name);
      const found = await ifPossible(wanted);
      if (found !== undefined) had[name] = found;
      else await wanted.catch((error: unknown) => this.lacks.add(decide(error, 'preparation').reason ?? ''));
    }
    // The case's type admits it only to the needs it declared.
    return had as unknown as Fixtures;
  }

  private judge(sink: Sink): Judge<RequirementId> {
    const { clock } = this.options;
    return {
      check: (id, expectation, operation) => {
        const { draft } = sink;
        const judged = (async () => {
          // Also if the requirement was not selected: another one may be judged by what is sent here.
          const started = clock.now();
          const decision = await this.decision(expectation);
          const durationMs = clock.now() - started;
          draft.add(id, { ...decision, durationMs, case: this.title, ...defined({ operation }) });
        })();
        draft.under.add(judged);
        return judged;
      },
      notOffered: (id, how, ...replies) => sink.draft.observe(id, how, replies),
      observe: (id, answer, ...replies) => sink.draft.observe(id, answer, replies),
    };
  }

  private async decision(expectation: () => void | Promise<void>): Promise<Decision> {
    try {
      await expectation();
      return passed;
    } catch (error) {
      return this.decided(error, 'check');
    }
  }

  /** If nothing else shows why it is not tested, the last reply may. */
  private decided(error: unknown, where: 'check' | 'preparation'): Decision {
    const decision = endedBy(this.options.signal) ?? decide(error, where);
    const excuse = decision.difference || decision.unmet ? this.excuse() : undefined;
    if (excuse !== undefined) return but(error, excuse);
    if (decision.verdict !== 'not-tested' || decision.replies?.length) return decision;
    const last = this.options.lastReply();
    return { ...decision, replies: last ? [last] : [] };
  }

  /** Why a correct target may have looked wrong in this attempt. */
  private excuse(): string | undefined {
    const { duplicates, clockChanges } = this.options;
    if (duplicates() > this.duplicatesBefore) return 'something may have been made twice, because a reply was lost';
    return changedSince(clockChanges(), this.begunAt) ? clockSet : undefined;
  }

  /** An error outside of a check blocks all requirements of the case: more checks might have come. */
  private block(decision: Decision): void {
    const { findings, ruled } = this.options;
    this.blocked = decision;
    for (const id of this.case.ids) {
      // The rules decide it by replies to other cases.
      if (ruled.has(id) && this.perhaps.includes(id)) continue;
      if (findings.rows[id].level === 'observe' && findings.has(id)) continue;
      findings.add(id, { ...decision, durationMs: 0, case: this.title });
    }
  }

  private get perhaps(): readonly RequirementId[] {
    return this.case.perhaps ?? [];
  }

  private close(): void {
    if (this.outstanding > 0) return;
    this.isOver = true;
    if (!this.blocked) this.noteUnjudged();
    this.options.over();
  }

  /** A requirement that is declared and not judged is an error of the case, never a pass. */
  private noteUnjudged(): void {
    const { findings, ruled } = this.options;
    const due = this.case.ids.filter((one) => findings.ids.has(one) && !this.perhaps.includes(one) && !ruled.has(one));
    for (const id of due.filter((one) => !findings.has(one))) {
      const reason = `an error of the suite itself: ${titleOf(this.case)} ended without judging ${id}`;
      findings.add(id, { verdict: 'inconclusive', reason, durationMs: 0, case: this.title });
    }
  }
}

/** The titles of the finished cases with nothing left open. */
export function decidedCases(
  caseRuns: readonly CaseRun[],
  titles: ReadonlyMap<Case, string>,
  findings: Findings,
): readonly string[] {
  const open = new Set(findings.all().flatMap((one) => (one.verdict === 'inconclusive' ? (one.case ?? []) : [])));
  // If no exchange could have failed a requirement, that exchange may have been lost when the run was stopped.
  const isSeen = (id: RequirementId): boolean => !findings.of(id).some(({ unseen }) => unseen);
  const over = caseRuns.filter((one) => one.isOver && one.case.ids.every(isSeen));
  return over.flatMap((one) => titles.get(one.case) ?? []).filter((title) => !open.has(title));
}

interface Entry {
  readonly id?: RequirementId;
  readonly finding?: Finding;
  readonly write: (findings: Findings) => void;
}

const nameOf = ({ id, finding }: Entry): string => `${id} ${finding?.operation}`;

const failedOn = ({ operation, durationMs, case: owner }: Finding, difference: Difference): Finding => ({
  verdict: 'failed',
  difference,
  durationMs,
  ...defined({ operation, case: owner }),
});

export class Draft {
  /** Checks under way. */
  readonly under = new Set<Promise<void>>();
  /** Work for the end of the run. */
  readonly later: (() => Promise<void>)[] = [];
  private readonly entries: Entry[] = [];

  add(id: RequirementId, finding: Finding): void {
    this.entries.push({ id, finding, write: (findings) => findings.add(id, finding) });
  }

  observe(id: JudgedId | ObservedId, answer: string, replies: readonly Reply[]): void {
    this.entries.push({ write: (findings) => findings.observe(id, answer, replies) });
  }

  /** The network left a check open. */
  get isOpen(): boolean {
    return this.entries.some(({ finding }) => finding?.undecided);
  }

  /** The checks that failed on suspect replies. */
  get suspects(): ReadonlySet<string> {
    return new Set(this.entries.filter(({ finding }) => finding?.suspected).map(nameOf));
  }

  /** `confirmed` failed so in every attempt: then the suspect reply is the target's. */
  write(findings: Findings, confirmed: ReadonlySet<string> = new Set()): void {
    for (const entry of this.entries) {
      const { id, finding } = entry;
      if (id === undefined || !finding?.suspected || !confirmed.has(nameOf(entry))) entry.write(findings);
      else findings.add(id, failedOn(finding, finding.suspected));
    }
  }

  /** A failure shown by a reply of the target stands, whatever became of the rest. */
  writeFailures(findings: Findings): void {
    for (const { finding, write } of this.entries) if (finding?.verdict === 'failed') write(findings);
  }
}
