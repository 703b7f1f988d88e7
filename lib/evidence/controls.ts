// Live controls: each green check is shown able to fail, on the very replies that made it green.
import type { Suite } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { Report } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { counted } from '../runtime/text.ts';
import { CasesOf } from './cases-of.ts';
import type { Attempt } from './perturbed.ts';
import { RecordedReplies } from './recorded-replies.ts';
import { alters, type Rejudged, rejudge, type Trial, type Wrap } from './rejudge.ts';
import type { WholeEvidence } from './replayed.ts';

/** A mutant, as something that stands between the suite and the recorded replies. */
export interface ControlMutant {
  readonly id: string;
  readonly breaks: readonly RequirementId[];
  readonly wrap: Wrap;
}

/** What became of one MUST that passed. */
interface Control {
  readonly requirement: string;
  /** Mutants that could be put into the recorded replies. */
  readonly applied: number;
  /** Mutants that need a reply that was never recorded, or that changed none. */
  readonly notApplicable: number;
  /** Mutants that turned it red: one suffices. */
  readonly red: number;
  /** Mutants that were not tried any more once one had turned it red. */
  readonly untried: number;
  /** Where none did: how often its replies were changed in other ways. */
  readonly trials?: number;
  /** The change that turned it red. */
  readonly change?: string;
}

export interface Controls {
  readonly controls: readonly Control[];
  readonly shown: number;
  /** Of those shown: by a mutant, which breaks what the requirement demands. */
  readonly byMutants: number;
  /** The others of those shown: by a change of the replies that knows nothing of the requirement. */
  readonly byChanges: number;
  /** Why the others are not, a sentence each. */
  readonly notShown: readonly { readonly requirement: string; readonly why: string }[];
}

/** What one mutant did to each requirement that it is meant to break. */
export interface Outcome {
  readonly requirement: string;
  readonly applied: boolean;
  readonly red: boolean;
}

/** The MUSTs that passed: only of them there is something to be shown. */
export const greenMusts = ({ requirements }: Pick<Report, 'requirements'>): string[] =>
  requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'passed').map(({ id }) => id);

/** Puts mutants into a record, one at a time. */
export class Bench {
  private readonly suites: readonly Suite[];
  private readonly evidence: WholeEvidence;
  private readonly replies: RecordedReplies;
  private readonly cases: CasesOf;
  /** By requirement, its cases alone without a mutant. */
  private readonly unchanged = new Map<string, Promise<Rejudged>>();

  constructor(suites: readonly Suite[], evidence: WholeEvidence) {
    this.suites = suites;
    this.evidence = evidence;
    this.replies = new RecordedReplies(evidence.entries);
    this.cases = new CasesOf(suites, evidence.header);
  }

  /** `green`: the requirements to look at. A mutant that breaks none of them is not tried. */
  async outcomesOf({ breaks, wrap }: ControlMutant, green: ReadonlySet<string>): Promise<Outcome[]> {
    const ids = breaks.filter((id) => green.has(id));
    if (ids.length === 0) return [];
    if (!(await this.applies(ids, wrap)))
      return ids.map((requirement) => ({ requirement, red: false, applied: false }));
    const until = new Set<string>(ids);
    const { brief, changed, wanting } = await this.judged(ids, { wrap, until });
    const failed = new Set(brief.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id));
    const outcomes: Outcome[] = [];
    for (const requirement of ids) {
      const red = failed.has(requirement) && (await this.isSound(requirement));
      outcomes.push({ requirement, red, applied: red || (changed > 0 && !wanting) });
    }
    return outcomes;
  }

  private trial(requirements: readonly string[]): Trial {
    const { suites, replies, cases, evidence } = this;
    return {
      suites,
      header: evidence.header,
      replies,
      only: cases.serving(requirements),
      wanted: new Set(requirements),
    };
  }

  private judged(
    requirements: readonly string[],
    more: { readonly wrap: Wrap; readonly until: ReadonlySet<string> },
  ): Promise<Rejudged> {
    return rejudge({ ...this.trial(requirements), ...more });
  }

  private unchangedOf(requirement: string): Promise<Rejudged> {
    const known = this.unchanged.get(requirement) ?? rejudge(this.trial([requirement]));
    this.unchanged.set(requirement, known);
    return known;
  }

  /** More than half of the mutants leave every reply as it is, or need others: to see that takes much less than to judge. */
  private async applies(requirements: readonly string[], wrap: Wrap): Promise<boolean> {
    const [requirement, ...others] = requirements;
    if (requirement === undefined || others.length > 0) return true;
    const { used } = await this.unchangedOf(requirement);
    return alters({ ...this.trial([requirement]), wrap }, used);
  }

  /** Without a mutant its cases alone must be green as well, or their red would prove nothing. */
  private async isSound(requirement: string): Promise<boolean> {
    const { brief } = await this.unchangedOf(requirement);
    return brief.requirements.some(({ id, verdict }) => id === requirement && verdict === 'passed');
  }
}

function whyNot({ applied, trials = 0 }: Control, isUnsound: boolean): string {
  if (isUnsound && trials === 0) return 'asked again without the others, its cases are not green on this record';
  if (applied + trials === 0) return 'the mutants that break it need replies that were never recorded';
  const mutants =
    applied === 0 ? 'no mutant could be put into its replies' : `${counted(applied, 'mutant')} put into its replies`;
  return `${mutants}, ${counted(trials, 'other change')} tried: it stayed green`;
}

/** All outcomes together, one row a requirement; `mutants` are those that were to be tried. */
export function controlsOf(
  green: readonly string[],
  outcomes: readonly Outcome[],
  attempts: readonly Attempt[] = [],
  mutants: readonly Pick<ControlMutant, 'breaks'>[] = [],
): Controls {
  const controls = green.map((requirement): Control => {
    const own = outcomes.filter((one) => one.requirement === requirement);
    const applied = own.filter((one) => one.applied).length;
    const breaking = mutants.filter(({ breaks }) => breaks.some((id) => id === requirement)).length;
    const row = {
      requirement,
      applied,
      notApplicable: own.length - applied,
      red: own.filter(({ red }) => red).length,
      untried: Math.max(0, breaking - own.length),
    };
    const tried = attempts.filter((one) => one.requirement === requirement);
    if (row.red > 0 || tried.length === 0) return row;
    const change = tried.find(({ by }) => by !== undefined)?.by;
    const trials = tried.reduce((sum, one) => sum + one.trials, 0);
    return { ...row, trials, ...defined({ change }) };
  });
  const byMutants = controls.filter(({ red }) => red > 0).length;
  const byChanges = controls.filter(({ change }) => change !== undefined).length;
  const unsound = new Set(attempts.filter((one) => one.unsound).map(({ requirement }) => requirement));
  const missing = controls.filter(({ red, change }) => red === 0 && change === undefined);
  return {
    controls,
    shown: byMutants + byChanges,
    byMutants,
    byChanges,
    notShown: missing.map((one) => ({
      requirement: one.requirement,
      why: whyNot(one, unsound.has(one.requirement)),
    })),
  };
}
