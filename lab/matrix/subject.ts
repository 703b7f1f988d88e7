// Whom the laboratory examines: the reference, every fault, every oddity, and randomised lawful servers.
import type { RequirementId } from '../../lib/catalogue/index.ts';
import type { Examination } from '../examine.ts';
import type { Fault } from '../faults/fault.ts';
import { faults } from '../faults/index.ts';
import { oddities } from '../oddities/index.ts';
import type { Exceptions, Oddity } from '../oddities/oddity.ts';
import { randomServer } from '../oddities/random.ts';
import { systematicFaults } from '../systematic/index.ts';

export type Kind = 'reference' | 'fault' | 'oddity' | 'random';

export interface Subject {
  readonly id: string;
  readonly kind: Kind;
  readonly why: string;
  /** How a server of its kind is set up, anew for each examination. */
  readonly examination: Examination;
  /** Exactly these requirements fail: of a fault what it breaks, of a lawful server recommendations that it does not follow. */
  readonly red: readonly RequirementId[];
  /** Of these `red` cannot but fail as well, each with the reason. */
  readonly collateral: Exceptions;
  /** What cannot be tested there, each with the reason; judged on lawful servers only. */
  readonly untested: Exceptions;
}

/** How many randomised servers the matrix holds; their seeds count from 0. */
export const randomServers = 200;

const ids = (exceptions: Exceptions = {}): RequirementId[] => Object.keys(exceptions) as RequirementId[];

function faulty({ id, breaks, collateral = {}, reference, wrap }: Fault): Subject {
  return {
    id,
    kind: 'fault',
    why: `breaks ${breaks.join(', ')}`,
    examination: { wrap, ...(reference === undefined ? {} : { reference }) },
    red: [...breaks, ...ids(collateral)],
    collateral,
    untested: {},
  };
}

function lawful(kind: Kind, oddity: Oddity, settings?: Examination['settings']): Subject {
  const { id, why, reference, skewMs, wrap, target, untested = {}, warned } = oddity;
  return {
    id,
    kind,
    why,
    examination: {
      ...(reference === undefined ? {} : { reference }),
      ...(skewMs === undefined ? {} : { skewMs }),
      ...(wrap === undefined ? {} : { wrap }),
      ...(target === undefined ? {} : { target }),
      ...(settings === undefined ? {} : { settings }),
    },
    red: ids(warned),
    collateral: {},
    untested,
  };
}

/** The suite draws its own choices anew for each. */
const randomised = (seed: number): Subject => lawful('random', randomServer(seed), { seed });

/** All of the matrix, in the order in which it is told. */
export const subjects: readonly Subject[] = [
  lawful('reference', { id: 'reference', why: 'It is correct.' }),
  ...[...faults, ...systematicFaults].map(faulty),
  ...oddities.map((one) => lawful('oddity', one)),
  ...Array.from({ length: randomServers }, (_, seed) => randomised(seed)),
];

const byId = new Map(subjects.map((one) => [one.id, one]));

/** Also a randomised server beyond those of the matrix: `random-<seed>`. */
export function subjectOf(id: string): Subject | undefined {
  const seed = /^random-(\d+)$/.exec(id)?.[1];
  return byId.get(id) ?? (seed === undefined ? undefined : randomised(Number(seed)));
}
