// A run: probe, plan, cases with their reads at the end, clean-up, rules over the history, and report, in this order.
import { type Case, titleOf } from '../case.ts';
import type { Connection } from '../client/client.ts';
import { Ended } from '../client/errors.ts';
import { EventStream } from '../client/event-stream.ts';
import { LargeIntegers } from '../client/large-integers.ts';
import { Ledger } from '../client/ledger.ts';
import { Network } from '../client/network.ts';
import { Pacing } from '../client/pacing.ts';
import { concealKeys, type RecordedHistory, Recorder } from '../client/recorder.ts';
import { Variation } from '../client/variation/variation.ts';
import { allowancesOf } from '../fixtures/credentials.ts';
import { KeyCapacity } from '../fixtures/key-capacity.ts';
import { type CredentialStatuses, probe } from '../fixtures/probe.ts';
import { Maker } from '../fixtures/records.ts';
import { prepareVariation } from '../fixtures/vary.ts';
import type { Plan, Residue } from '../result.ts';
import { anySignal, type Clock, endingWith, steady } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { type Random, seededRandom } from '../runtime/random.ts';
import { Secrets } from '../secrets/secrets.ts';
import { type BuiltReport, buildReport } from './build-report.ts';
import { CaseRun, decidedCases } from './case-run.ts';
import { caseTools, sharedFixtures, ValidationTurn } from './case-tools.ts';
import { cleanUp, cleanupApis } from './cleanup.ts';
import { shareOf } from './cost.ts';
import { Decisions } from './decisions.ts';
import type { Findings } from './findings.ts';
import { judgeHistory } from './judge-history.ts';
import { Monitors } from './monitors.ts';
import { type Begun, markNotRun, whyUnseen, whyUnshown, withoutShown } from './not-run.ts';
import { planCases, planOf, validatingIn } from './plan.ts';
import { accountsOf, keyNamed } from './plan-accounts.ts';
import { forecast } from './plan-estimate.ts';
import { cleanUpEvent, finishedEvent, reportUnfit, startedEvent } from './run-events.ts';
import type { RunInput } from './run-input.ts';
import { allowedTime, checkpointDueMs, held, inTime, schedule, stored, unlessStill } from './schedule.ts';
import { inTurn, narrowed, type Selection, select, without } from './selection.ts';
import { whyAborted } from './verdict.ts';

export function run(input: RunInput): Promise<BuiltReport> {
  return new Run(input).result();
}

type FixturesOf = ReturnType<ReturnType<typeof sharedFixtures>>;

class Run {
  private readonly input: RunInput;
  private readonly selected: Selection;
  private readonly selection: Selection;
  private readonly events: EventStream;
  private readonly startedAt: number;
  private readonly random: Random;
  private readonly runId: string;
  private readonly secrets: Secrets;
  private readonly integers = new LargeIntegers();
  private readonly ledger: Ledger;
  private readonly decisions: Decisions;
  private readonly findings: Findings;
  private readonly monitors: Monitors;
  private readonly connection: Connection;
  private readonly turn: ValidationTurn;
  private readonly make: Maker;
  private readonly keyCapacity: KeyCapacity;
  private statuses?: CredentialStatuses;
  private readonly atEndOf = new Map<string, readonly (() => Promise<void>)[]>();
  private readonly caseRuns: CaseRun[] = [];
  private ended = 0;
  private plan: Plan | undefined;
  /** The share of the work that is done after this case. */
  private share: (one: Case) => number = () => 0;
  private checkpointAt = 0;
  /** Aborted by a person, or by whatever makes it pointless to go on. */
  private readonly signal: AbortSignal;
  private readonly clock: Clock;
  private readonly clockChanges = () => this.connection.network.clockChanges;
  private readonly ending = new AbortController();
  private readonly clean = (text: string): string => this.secrets.redact(this.integers.written(text));
  private readonly end = (reason: Ended): void => this.ending.abort(reason);

  constructor(input: RunInput) {
    const { target, settings, transport, signal } = input;
    const clock = steady(input.clock);
    this.clock = clock;
    this.input = input;
    this.secrets = input.secrets ?? new Secrets();
    this.events = new EventStream(clock, input.onEvent, this.clean);
    this.startedAt = clock.now();
    this.random = seededRandom(settings.seed, this.startedAt);
    this.runId = this.random.uuid().slice(0, 6);
    this.selected = without(select(input.suites, settings), input.decided);
    this.selection = input.only ? narrowed(this.selected, input.only) : this.selected;
    const stop = (why: string) => this.end(new Ended(why));
    this.decisions = new Decisions(input.suites, this.selection, this.events, stop, settings.bail);
    this.findings = this.decisions.findings;
    this.monitors = new Monitors(this.selection.invariants, this.clockChanges, (...it) => this.decisions.fails(...it));
    this.ledger = new Ledger((entry) => stored(this.integers.writtenIn(entry), input.record, this.end));
    this.signal = anySignal(this.ending.signal, signal);
    this.keyCapacity = new KeyCapacity(endingWith(clock, this.signal), inTurn(this.selection));
    const allowed = () => allowedTime(settings.maxMinutes, this.plan, target.clockRate);
    const pacing = new Pacing(clock, target.minuteMs, this.events.wait);
    this.turn = new ValidationTurn(pacing);
    this.connection = {
      target,
      transport: inTime(this.integers.through(transport), {
        isLate: () => clock.now() - this.startedAt > allowed().ms,
        over: () => allowed().over,
        signal: this.signal,
        end: this.end,
      }),
      clock,
      pacing,
      recorder: new Recorder(
        (reply) => concealKeys(this.secrets, reply, stop),
        (reply) => {
          this.monitors.judge(reply);
          this.turn.saw(reply);
        },
      ),
      network: new Network(clock, this.events.notice, this.end),
      ledger: this.ledger,
      keyCapacity: this.keyCapacity,
      readOnly: settings.readOnly,
      variation: new Variation(this.random.derive('variation')),
      signal: this.signal,
    };
    const means = { secrets: this.secrets, clock, keyCapacity: this.keyCapacity };
    this.make = new Maker(this.runId, this.random.derive('records'), means);
  }

  async result(): Promise<BuiltReport> {
    const [base_url, started_at] = [this.input.target.baseUrl, new Date(this.startedAt).toISOString()];
    this.ledger.add({ entry: 'run', id: this.runId, base_url, started_at });
    this.events.emit(startedEvent(this.runId, this.input, this.selection));
    const aborted = await this.examine();
    // The replies to the clean-up are judged, too.
    const residue = await this.cleanUpRun(aborted);
    this.monitors.conclude(this.findings, whyUnseen(this.begun));
    this.judge(this.findings);
    this.input.onHistory?.(this.history, (text) => this.integers.written(text));
    this.connection.recorder.releaseAll();
    this.decisions.close();
    const built = this.build(residue, this.clock.now(), aborted);
    if (this.events.hasListeners) this.events.emit(finishedEvent(built.brief, this.clock.now() - this.startedAt));
    return built;
  }

  private get history(): RecordedHistory {
    const { recorder, pacing } = this.connection;
    return recorder.history(this.statuses && allowancesOf(this.statuses, pacing.minuteMs));
  }

  private get begun(): Begun {
    return { caseRuns: this.caseRuns, signal: this.signal, replies: this.connection.recorder.replies };
  }

  /** Returns why the run was aborted, if it was; the clean-up runs whatever went wrong. */
  private async examine(): Promise<string | undefined> {
    const all = unlessStill(this.runAll(), this.input.onStandstill, this.end);
    const aborted = await all.then(() => undefined, whyAborted);
    markNotRun(this.selection, this.begun, this.findings, aborted);
    return this.input.signal?.aborted ? 'interrupted' : aborted;
  }

  private async runAll(): Promise<void> {
    this.events.emit({ event: 'phase', phase: 'probe' });
    const statuses = await probe(this.connection, this.secrets);
    this.statuses = statuses;
    const [{ settings, shuffled }, { cases }] = [this.input, this.selected];
    await prepareVariation(this.connection, statuses, this.make, settings.effort === 'quick' ? 0 : cases.length);
    await reportUnfit(statuses, this.connection, this.events);
    const accounts = await accountsOf(statuses, this.connection, cases);
    const random = this.random.derive('order');
    const whole = planCases({ cases, effort: settings.effort, accounts, random, ...defined({ shuffled }) });
    const plan = planOf(this.selection.cases, whole);
    this.share = shareOf(this.selection.cases, plan.costOf);
    const fixturesOf = sharedFixtures(this.connection, statuses, this.make);
    this.turn.expect(validatingIn(this.selection, plan));
    this.plan = forecast({ cases: this.selection.cases, plan, settings, accounts, statuses }, this.connection);
    this.events.emit({ event: 'phase', phase: 'cases', plan: this.plan });
    await schedule({
      plan,
      onExhaustion: () => this.events.emit({ event: 'phase', phase: 'exhaustion' }),
      besides: accounts.exhaustibleApart,
      concurrency: settings.concurrency,
      sessionsValidated: this.turn.sessionsValidated,
      run: async (one) => {
        const spare = keyNamed(plan.spareOf.get(one) ?? 'COVENANT_API_KEY', statuses);
        await this.runCase(one, statuses, fixturesOf(one, spare));
      },
      atEnd: () => held(this.input.holdMs, [...this.atEndOf.values()], endingWith(this.clock, this.signal)),
    });
    for (const _ of [1, 2]) await this.runUnshown();
  }

  /**
   * If the network left nothing for the rules to judge, the cases that should have shown it run again, twice at most.
   */
  private async runUnshown(): Promise<void> {
    if (this.connection.network.health === undefined) return;
    for (const one of withoutShown(this.begun, this.judge())) await one.runAgain();
  }

  private judge(found = this.findings.copy()): Findings {
    const { decisions, history, clockChanges } = this;
    const unshown = whyUnshown(this.begun, this.input, found);
    judgeHistory({ rules: decisions.openRules, history, findings: found, clockChanges, unshown });
    return found;
  }

  private async runCase(one: Case, statuses: CredentialStatuses, fixtures: FixturesOf): Promise<void> {
    const { connection, secrets, ledger, signal, clock, turn } = this;
    const { effort } = this.input.settings;
    const title = this.selection.titles.get(one) ?? titleOf(one);
    // Others may wait for its validations.
    if (signal.aborted) return turn.leave(one, title);
    this.events.emit({ event: 'case-started', case: title, requirements: one.ids });
    const make = this.make.for(title);
    connection.network.acceptsDuplicates(title);
    const caseRun = new CaseRun(one, {
      title,
      clock,
      findings: this.findings,
      ruled: this.selection.ruled,
      fixtures: (attempt) => fixtures(make, attempt),
      duplicates: () => connection.network.duplicatesOf(title),
      clockChanges: this.clockChanges,
      later: (work) => this.atEndOf.set(title, [...(this.atEndOf.get(title) ?? []), work]),
      lastReply: () => connection.recorder.replies.findLast(({ owner }) => owner === title),
      over: () => this.decisions.over(one),
      left: () => this.keyCapacity.leave(title),
      toolsFor: (attempt) => {
        const random = this.random.derive(attempt === 1 ? title : `${title}, attempt ${attempt}`);
        const given = { connection, statuses, turn, random, secrets, ledger, effort, attempt, signal, title };
        return { ...caseTools(one, given), make };
      },
      signal,
    });
    this.caseRuns.push(caseRun);
    await caseRun.run().finally(() => turn.leave(one, title));
    // Work at the end of the run compares with earlier replies.
    if (one.forgets || !this.atEndOf.has(title)) connection.recorder.release(title);
    this.checkpoint();
    const [done, total] = [++this.ended, this.selection.cases.length];
    this.events.emit({ event: 'case-finished', case: title, done, total, share: this.share(one) });
  }

  /** Also after an interruption: the clean-up ignores the signal, but its requests are paced like any other. */
  private async cleanUpRun(aborted?: string): Promise<readonly Residue[]> {
    const network = new Network(this.connection.clock, this.events.notice);
    network.answered();
    const { signal: _, variation: __, ...unsignalled } = { ...this.connection, network };
    if (this.events.hasListeners)
      this.events.emit(cleanUpEvent(this.ledger, this.judge(), this.monitors, whyUnseen(this.begun), aborted));
    const onDone = (done: number, total: number) => this.events.emit({ event: 'cleaned', done, total });
    const work = cleanUp(this.ledger, cleanupApis(unsignalled, this.statuses), onDone);
    await unlessStill(work, this.input.onStandstill).catch((error: unknown) => {
      if (!(error instanceof Ended)) throw error;
    });
    return this.ledger.residue();
  }

  private checkpoint(): void {
    const [{ onCheckpoint, settings }, now] = [this.input, this.clock.now()];
    const dueMs = checkpointDueMs(this.checkpointAt - this.startedAt);
    const isRead = this.events.hasListeners || (onCheckpoint ?? settings.bail) !== undefined;
    if (!isRead || now - this.checkpointAt < dueMs) return;
    this.checkpointAt = now;
    const findings = this.judge();
    this.monitors.conclude(findings, () => ({ verdict: 'not-tested', reason: 'the run goes on', unseen: true }));
    this.decisions.foundSoFar(findings);
    onCheckpoint?.(this.build(this.ledger.residue(), now, 'the run was cut off', findings).report);
  }

  private build(residue: readonly Residue[], finishedAt: number, aborted?: string, found = this.findings): BuiltReport {
    const { target, settings } = this.input;
    const isWhole = aborted === undefined && !this.signal.aborted;
    const decided = isWhole ? undefined : decidedCases(this.caseRuns, this.selection.titles, found);
    return buildReport(
      {
        target,
        settings,
        runId: this.runId,
        startedAt: this.startedAt,
        finishedAt,
        findings: found,
        replies: this.connection.recorder.replies,
        broken: this.monitors.broken(),
        selection: this.selection,
        pacing: this.connection.pacing,
        network: this.connection.network.health,
        residue,
        ...defined({ plan: this.plan, aborted, decided }),
      },
      this.clean,
      this.secrets.derivations,
    );
  }
}
