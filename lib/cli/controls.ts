// `covenant verify --controls`: puts the laboratory's mutants into the recorded replies, then changes the replies themselves, on every core.
import { availableParallelism } from 'node:os';
import { generatedMutants } from '../../lab/mutants/generated/index.ts';
import { mutants } from '../../lab/mutants/index.ts';
import { suites } from '../../suites/index.ts';
import { CasesOf } from '../evidence/cases-of.ts';
import { type ControlMutant, type Controls, controlsOf, greenMusts, type Outcome } from '../evidence/controls.ts';
import type { Attempt } from '../evidence/perturbed.ts';
import type { WholeEvidence } from '../evidence/replayed.ts';
import type { Report } from '../result.ts';
import { inThreads } from '../runtime/threads.ts';

/** What a thread is given at its beginning. */
export interface ThreadData {
  readonly evidence: WholeEvidence;
}

/** One mutant to put in, or the replies to one case to change, for these requirements. */
export type Task = { readonly requirements: readonly string[] } & (
  | { readonly mutant: string }
  | { readonly title: string }
);

export interface Answer {
  readonly outcomes?: readonly Outcome[];
  readonly attempts?: readonly Attempt[];
}

const threadsMax = 8;
/** After so many changes that leave it green a requirement is given up. */
const trialsMax = 240;
/**
 * First the mutants, none for what another has turned red; then, for what none of them turned red, the cases with few
 * requests before those with many.
 */
class Tasks {
  readonly outcomes: Outcome[] = [];
  readonly attempts: Attempt[] = [];
  private readonly green: readonly string[];
  private readonly mutants: ControlMutant[];
  private readonly cases: CasesOf;
  private readonly titles: string[];

  constructor(green: readonly string[], { header, entries }: WholeEvidence) {
    this.green = green;
    this.mutants = [...controlMutants];
    this.cases = new CasesOf(suites, header);
    const asked = new Map<string, number>();
    for (const entry of entries) if ('ask' in entry) asked.set(entry.case, (asked.get(entry.case) ?? 0) + 1);
    this.titles = this.cases.titles.sort((one, other) => (asked.get(one) ?? 0) - (asked.get(other) ?? 0));
  }

  next(): Task | undefined {
    const shown = this.shown();
    const green = this.green.filter((id) => !shown.has(id));
    for (let mutant = this.mutants.shift(); mutant; mutant = this.mutants.shift()) {
      const { id, breaks } = mutant;
      const requirements = breaks.filter((one) => green.includes(one));
      if (requirements.length > 0) return { mutant: id, requirements };
    }
    const open = green.filter((id) => this.trialsOf(id) < trialsMax);
    for (;;) {
      const title = this.titles.shift();
      if (title === undefined) return undefined;
      const requirements = this.cases.of(title).filter((id) => open.includes(id));
      if (requirements.length > 0) return { title, requirements };
    }
  }

  shown(): ReadonlySet<string> {
    return new Set([
      ...this.outcomes.filter(({ red }) => red).map(({ requirement }) => requirement),
      ...this.attempts.filter(({ by }) => by !== undefined).map(({ requirement }) => requirement),
    ]);
  }

  private trialsOf(id: string): number {
    return this.attempts.reduce((sum, { requirement, trials }) => sum + (requirement === id ? trials : 0), 0);
  }

  done({ outcomes = [], attempts = [] }: Answer): void {
    this.outcomes.push(...outcomes);
    this.attempts.push(...attempts);
  }
}

/** Of the report that follows from the evidence. */
export async function runControls(
  { header, entries, found }: WholeEvidence,
  report: Report,
  onShown: (shown: number) => void = () => {},
): Promise<Controls> {
  const green = greenMusts(report);
  const evidence = { header, entries, found };
  const tasks = new Tasks(green, evidence);
  const data: ThreadData = { evidence };
  await inThreads<Task, Answer>(
    {
      script: new URL('./controls-thread.js', import.meta.url),
      data,
      count: Math.min(threadsMax, availableParallelism()),
    },
    () => tasks.next(),
    (answer) => {
      tasks.done(answer);
      onShown(tasks.shown().size);
    },
  );
  return controlsOf(green, tasks.outcomes, tasks.attempts, controlMutants);
}

/** Those that set the reference otherwise need a server that answers so, which no record can. */
export const controlMutants: readonly ControlMutant[] = [...mutants, ...generatedMutants].map(
  ({ id, breaks, wrap }) => ({
    id,
    breaks,
    wrap,
  }),
);
