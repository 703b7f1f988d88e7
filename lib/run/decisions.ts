// Decides when a requirement is final and with which verdict, and when enough has failed to stop the run.
import type { Case, Suite } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { Difference } from '../client/errors.ts';
import type { EventStream } from '../client/event-stream.ts';
import { at, type Reply } from '../client/reply.ts';
import type { Failed } from '../events.ts';
import type { Rules } from '../model/judge.ts';
import type { RequirementResult } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { counted } from '../runtime/text.ts';
import { type Finding, Findings, levelOf } from './findings.ts';
import type { Selection } from './selection.ts';
import { overall, reasonOf } from './verdict.ts';

function shownBy({ request, credential, status, json }: Reply): Failed['request'] {
  const id = at(json, 'request_id');
  const { method, url } = request;
  return { method, url, credential, status, ...defined({ request_id: typeof id === 'string' ? id : undefined }) };
}

const rulesOf = (suites: readonly Suite[]): Rules[] => suites.flatMap(({ rules }) => rules ?? []);

/** Requirements that are decided last: those judged on every reply, by rules, or in another shard. */
const late = (suites: readonly Suite[], { invariants, elsewhere }: Selection): RequirementId[] => [
  ...invariants.map(({ id }) => id),
  ...[...elsewhere.keys()].flatMap(({ ids }) => ids),
  ...rulesOf(suites).flatMap(({ ids }) => ids),
];

export class Decisions {
  readonly findings: Findings;
  private readonly suites: readonly Suite[];
  private readonly events: EventStream;
  private readonly bail: number | undefined;
  private readonly stop: (why: string) => void;
  /** How many cases may still judge it. */
  private readonly open = new Map<RequirementId, number>();
  private readonly decided = new Set<RequirementId>();
  private readonly reported = new Set<string>();
  private readonly failed = new Set<RequirementId>();

  /** `stop` is called with the reason once `bail` MUST requirements have failed. */
  constructor(
    suites: readonly Suite[],
    selection: Selection,
    events: EventStream,
    stop: (why: string) => void,
    bail?: number,
  ) {
    const { ids, cases, rows } = selection;
    this.findings = new Findings(ids, (id, finding) => this.found(id, finding), rows);
    this.suites = suites;
    this.events = events;
    this.bail = bail;
    this.stop = stop;
    for (const id of cases.flatMap((one) => one.ids)) this.open.set(id, (this.open.get(id) ?? 0) + 1);
    for (const id of late(suites, selection)) this.open.set(id, Number.POSITIVE_INFINITY);
  }

  /** The requirement failed, whatever else is found. */
  fails(id: RequirementId, { message, expected, actual, replies = [] }: Difference, operation?: string): void {
    if (!this.findings.ids.has(id)) return;
    const last = replies.at(-1);
    const where = operation ?? last?.operation;
    const name = `${id} ${where}`;
    if (this.reported.has(name)) return;
    this.reported.add(name);
    this.failed.add(id);
    const shown = { message, expected, actual, request: last && shownBy(last), operation: where };
    this.events.emit({
      event: 'failure',
      requirement: id,
      level: levelOf(id, this.findings),
      ...defined(shown),
      message,
    });
    const why = this.whyEnough();
    if (why !== undefined) this.stop(why);
  }

  /** The findings so far; the rules decide only when everything else has ended. */
  foundSoFar(findings: Findings): void {
    for (const id of findings.ids) for (const finding of findings.of(id)) this.found(id, finding);
  }

  /** The rules of the undecided requirements. */
  get openRules(): readonly Rules[] {
    return rulesOf(this.suites).filter(({ ids }) => ids.some((id) => this.findings.ids.has(id)));
  }

  /** A case has ended, including its work at the end of the run. */
  over({ ids }: Case): void {
    for (const id of new Set(ids)) {
      const left = (this.open.get(id) ?? 0) - 1;
      this.open.set(id, left);
      if (left === 0) this.decide(id);
    }
  }

  /** No more findings will come. */
  close(): void {
    for (const id of this.findings.ids) this.decide(id);
  }

  private decide(id: RequirementId): void {
    if (!this.findings.ids.has(id) || this.decided.has(id)) return;
    this.decided.add(id);
    const answer = defined({ answer: answerOf(id, this.findings) });
    this.events.emit({
      event: 'decided',
      requirement: id,
      level: levelOf(id, this.findings),
      ...judgedOf(id, this.findings),
      ...answer,
    });
  }

  private found(id: RequirementId, { verdict, difference, operation }: Finding): void {
    if (verdict === 'failed' && difference) this.fails(id, difference, operation);
  }

  private whyEnough(): string | undefined {
    const { bail } = this;
    const musts = [...this.failed].filter((one) => levelOf(one, this.findings) === 'must').length;
    return bail === undefined || musts < bail
      ? undefined
      : `the run stopped after ${counted(bail, 'failed MUST requirement')}, as it was asked to`;
  }
}

/** The verdict, with the reason if it says nothing about the target. */
export function judgedOf(id: RequirementId, findings: Findings): Pick<RequirementResult, 'verdict' | 'reason'> {
  const cases = findings.of(id);
  const verdict = overall(cases);
  // One case may find it not offered although another failed it.
  if (findings.answer(id) && verdict !== 'failed') return { verdict: 'observed' };
  const reason = cases.length === 0 ? 'no case judged it' : reasonOf(cases, verdict);
  return { verdict, ...defined({ reason: reason || undefined }) };
}

/** The observed answer; undefined if there was none. */
export function answerOf(id: RequirementId, findings: Findings): string | undefined {
  const found = findings.answer(id);
  return found && [...found.answers].sort().join('; ');
}
