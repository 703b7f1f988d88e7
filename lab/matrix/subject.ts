// What the laboratory examines: the reference, every mutant, every variant, and randomised lawful servers; whole, or for some areas.
import { catalogue, type RequirementId } from '../../lib/catalogue/index.ts';
import type { Examination } from '../examine.ts';
import { generatedMutants } from '../mutants/generated/index.ts';
import { mutants, survivors } from '../mutants/index.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { reported } from '../mutants/reported/index.ts';
import { variants } from '../variants/index.ts';
import { randomServer } from '../variants/random.ts';
import type { Exceptions, Variant } from '../variants/variant.ts';

export type Kind = 'reference' | 'mutant' | 'variant' | 'random' | 'second-reading';

export interface Subject {
  readonly id: string;
  readonly kind: Kind;
  readonly why: string;
  /** How the server is set up, anew for each examination. */
  readonly examination: Examination;
  /** Only these requirements fail: on a mutant what it breaks, on a lawful server recommendations that it does not follow. */
  readonly red: readonly RequirementId[];
  /** Those of `red` that may fail as a consequence, each with the reason; the others must. */
  readonly collateral: Exceptions;
  /** Of a mutant that no run finds yet: why. */
  readonly notFound?: string;
  /** What cannot be tested there, each with the reason; judged on lawful servers only. */
  readonly untested: Exceptions;
  /** What can be tested there on some runs only. */
  readonly unsteady?: Exceptions;
}

/** How many randomised servers the matrix holds; their seeds count from 0. */
const randomServers = 200;

const ids = (exceptions: Exceptions = {}): RequirementId[] => Object.keys(exceptions) as RequirementId[];

function mutantSubject({ id, breaks, collateral = {}, reference, env, wrap, report, notFound }: Mutant): Subject {
  const asReported = report === undefined ? '' : `, as in ${report.url}`;
  return {
    id,
    kind: 'mutant',
    why: `breaks ${breaks.join(', ')}${asReported}${notFound === undefined ? '' : `. Not found yet: ${notFound}`}`,
    examination: { wrap, ...(reference && { reference }), ...(env && { env }) },
    red: [...breaks, ...ids(collateral)],
    collateral,
    ...(notFound !== undefined && { notFound }),
    untested: {},
  };
}

function lawful(kind: Kind, variant: Variant, settings?: Examination['settings']): Subject {
  const { id, why, untested = {}, unsteady = {}, warned, ...server } = variant;
  return {
    id,
    kind,
    why,
    examination: { ...server, ...(settings && { settings }) },
    red: ids(warned),
    collateral: {},
    untested,
    unsteady,
  };
}

/** The seed determines the server and the suite's own random values. */
const randomised = (seed: number): Subject => lawful('random', randomServer(seed), { seed });

/** A server of the second reading, which stands beside the matrix: its own seed determines what it is. */
export const secondReading = (seed: number): Subject => ({
  id: `second-reading-${seed}`,
  kind: 'second-reading',
  why: 'It is another reading of the document.',
  examination: { secondReading: { seed }, settings: { seed } },
  red: [],
  collateral: {},
  untested: {},
});

/** All subjects, in the order of the report. */
export const subjects: readonly Subject[] = [
  lawful('reference', { id: 'reference', why: 'It is correct.' }),
  ...[...mutants, ...generatedMutants, ...reported, ...survivors].map(mutantSubject),
  ...variants.map((one) => lawful('variant', one)),
  ...Array.from({ length: randomServers }, (_, seed) => randomised(seed)),
];

/** Every so many of the lawful servers stand in the sample. */
const lawfulStep = 24;

/** What `npm test` examines: a mutant for each requirement, and some of the lawful servers. */
export function sample(all: readonly Subject[]): Subject[] {
  const covered = new Set<RequirementId>();
  return all.filter((subject, index) => {
    if (subject.notFound !== undefined) return false;
    if (subject.kind !== 'mutant') return subject.kind === 'reference' || index % lawfulStep === 0;
    const own = subject.red.filter((id) => subject.collateral[id] === undefined);
    const covers = own.some((id) => !covered.has(id));
    for (const id of own) covered.add(id);
    return covers;
  });
}

const byId = new Map(subjects.map((one) => [one.id, one]));

/** Finds a subject; `random-<seed>` and `second-reading-<seed>` also name servers that are not in the matrix. */
export function subjectOf(id: string): Subject | undefined {
  const [, kind, seed] = /^(random|second-reading)-(\d+)$/.exec(id) ?? [];
  const drawn = kind === 'random' ? randomised : secondReading;
  return byId.get(id) ?? (seed === undefined ? undefined : drawn(Number(seed)));
}

/** A mutant concerns the areas of what it breaks, a variant every area; randomised servers would take too long. */
export function concerns({ kind, red, collateral }: Subject, areas: readonly string[]): boolean {
  if (kind !== 'mutant') return kind !== 'random';
  return red.some((id) => collateral[id] === undefined && areas.includes(catalogue[id].area));
}

/** The subject as it is examined for these areas: a mutant in full, a lawful server with their requirements only. */
export function within(subject: Subject, areas: readonly string[]): Subject {
  if (subject.kind === 'mutant') return subject;
  const isMeant = (id: string): boolean => areas.includes(catalogue[id as RequirementId].area);
  const some = (exceptions: Exceptions): Exceptions =>
    Object.fromEntries(Object.entries(exceptions).filter(([id]) => isMeant(id)));
  const { examination } = subject;
  return {
    ...subject,
    examination: { ...examination, settings: { ...examination.settings, areas } },
    red: subject.red.filter(isMeant),
    untested: some(subject.untested),
  };
}
