// The base changes: mutants that break a MUST, and rules of rate limits that can be broken for some.
import { catalogue } from '../../lib/catalogue/index.ts';
import type { Area } from '../../lib/catalogue/requirement.ts';
import type { Mutant, Wrap } from '../mutants/mutant.ts';
import { type Limit, limiting } from '../mutants/wrappers/limiting.ts';
import type { ReferenceOptions } from '../reference/index.ts';
import { conditioned, isHeld, marking } from './condition.ts';
import type { Trigger } from './trigger.ts';

type Options = Omit<ReferenceOptions, 'clock'>;

export interface Base {
  readonly id: string;
  /** The area of the first requirement that it breaks. */
  readonly area: Area;
  /** How the server below the wrapper is set, and the honest one that it is compared with. */
  readonly reference: Options;
  readonly honest: Options;
  /** Without a condition; absent where the condition is part of it. */
  readonly wrap?: Wrap;
  readonly under: (trigger: Trigger) => Wrap;
}

/** A server whose limits are the wrapper's own is not honest without the wrapper. */
const isOverHonest = ({ reference }: Mutant): boolean => reference?.tiers === undefined;
const breaksMust = ({ breaks }: Mutant): boolean => breaks.some((id) => catalogue[id].level === 'must');

function ordinary({ id, breaks, reference = {}, wrap }: Mutant): Base {
  const first = breaks.find((one) => catalogue[one].level === 'must') ?? breaks[0];
  if (first === undefined) throw new Error(`the mutant ${id} breaks nothing`);
  return {
    id,
    area: catalogue[first].area,
    reference,
    honest: reference,
    wrap,
    under: (trigger) => conditioned(trigger, wrap, reference),
  };
}

function limits(id: string, rate: Parameters<typeof limiting>[0], rule: Limit): Base {
  const { reference = {}, wrap } = limiting(rate, rule);
  return { id, area: 'rate-limits', reference, honest: {}, under: (trigger) => marking(trigger, wrap, reference) };
}

const rates = ['read', 'write', 'validate'] as const;

/** One account is limited as it should be, except where the trigger holds. */
const limiters: readonly Base[] = [
  ...rates.map((rate) =>
    limits(`rate-limits-${rate}-is-not-counted`, rate, { budget: ({ seen }) => (isHeld(seen) ? undefined : 'all') }),
  ),
  ...rates.map((rate) =>
    limits(`rate-limits-${rate}-is-counted-apart`, rate, { budget: ({ seen }) => (isHeld(seen) ? 'held' : 'others') }),
  ),
  limits('rate-limits-write-is-carried-out-though-refused', 'write', { carriesOut: isHeld }),
];

export const basesOf = (mutants: readonly Mutant[]): readonly Base[] => [
  ...mutants.filter((one) => isOverHonest(one) && breaksMust(one)).map(ordinary),
  ...limiters,
];
