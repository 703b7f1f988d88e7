// Conditional mutants examined: which count, and which of them the suite kills.
import { catalogue } from '../../lib/catalogue/index.ts';
import type { Area } from '../../lib/catalogue/requirement.ts';
import type { Effort } from '../../lib/configuration/settings.ts';
import { type Examination, examine } from '../examine.ts';
import { answersTo } from '../matrix/pool.ts';
import { type Conditional, conditionalId, conditionalOf } from './index.ts';
import type { Kind } from './trigger.ts';
import { witnessOf } from './witness.ts';

/** What became of a mutant that counts, as plain data. */
export interface Judged {
  /** Its identifier. */
  readonly subject: string;
  readonly why: string;
  readonly kind: Kind;
  readonly area: Area;
  /** What a lawful client sees of it. */
  readonly witness: string;
  /** MUSTs that failed; one is enough to kill it. */
  readonly failed: readonly string[];
  readonly verdict: string;
}

/**
 * As over a network: without it a run does everything in the first moments of its minutes, and whatever depends on the
 * time of day never comes about.
 */
const latencyMs = 25;

export const examinationOf = ({ wrap, reference }: Conditional, effort: Effort): Examination => ({
  wrap,
  reference,
  latencyMs,
  settings: { effort },
});

const isMust = (id: string): boolean => (catalogue as Record<string, { level: string }>)[id]?.level === 'must';

/** Looks for a witness, and examines what has one; undefined: it does not count. */
export async function judged(id: string, effort: Effort): Promise<Judged | undefined> {
  const one = await conditionalOf(id);
  const witness = one && (await witnessOf(one));
  if (one === undefined || witness === undefined) return undefined;
  const { brief } = await examine(examinationOf(one, effort));
  const failed = brief.requirements.filter(({ verdict }) => verdict === 'failed').map((row) => row.id);
  return {
    subject: id,
    why: one.why,
    kind: one.trigger.kind,
    area: one.base.area,
    witness: witness.words,
    failed: failed.filter(isMust),
    verdict: brief.verdict,
  };
}

export const isKilled = ({ failed }: Judged): boolean => failed.length > 0;

/** What a thread answers: a mutant that counts, or the identifier of one that does not. */
export type Answer = Judged | { readonly subject: string; readonly witness?: never };

export const answerTo = async (id: string, effort: Effort): Promise<Answer> =>
  (await judged(id, effort)) ?? { subject: id };

/** Candidates for each mutant that is wanted: most count. */
const candidatesEach = 1.3;
/** So many candidates of a seed may be looked at for each that counts. */
const mostEach = 40;

/** The first so many mutants of a seed that count, in the order of their numbers; drawn twice, one counts once. */
export async function countedOf(
  seed: number,
  count: number,
  threads: number,
  effort: Effort,
  progress: (finished: number) => void = () => {},
): Promise<Judged[]> {
  const counted = new Map<string, Judged>();
  let next = 0;
  while (counted.size < count && next < count * mostEach) {
    const first = next;
    next += Math.ceil((count - counted.size) * candidatesEach);
    const ids = Array.from({ length: next - first }, (_, place) => conditionalId(seed, first + place));
    const answers = await answersTo<Answer>(ids, { work: 'conditional', how: { effort }, count: threads }, (finished) =>
      progress(first + finished),
    );
    for (const one of answers) if (one.witness !== undefined && !counted.has(one.why)) counted.set(one.why, one);
  }
  return [...counted.values()].slice(0, count);
}
