// Examples from the laboratory: what a failure of a requirement looks like.
import { generatedMutants } from '../../lab/mutants/generated/index.ts';
import { mutants } from '../../lab/mutants/index.ts';
import { createReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import { handlerTransport } from '../client/transports/handler.ts';
import { credentialNames, type Settings, targetDefaults } from '../configuration/settings.ts';
import type { Report } from '../result.ts';
import { run } from '../run/run.ts';
import { defined, picked } from '../runtime/defined.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import type { Example } from './parts.ts';

type Mutant = (typeof mutants)[number];

/** More of them would only take longer: the first one nearly always shows it. */
const mutantsMax = 3;

async function reportOf({ wrap, reference }: Mutant, settings: Settings): Promise<Report> {
  const clock = virtualClock();
  const { handler, env } = await createReference({ ...reference, clock: clock.inside });
  const { report } = await run({
    suites,
    settings,
    clock,
    transport: handlerTransport(wrap(handler, clock), clock),
    target: {
      ...targetDefaults,
      baseUrl: 'http://mutant.test',
      credentials: picked(credentialNames, env),
      ...defined({ foreignSlug: env.COVENANT_FOREIGN_SLUG }),
    },
  });
  return report;
}

const settings: Settings = {
  seed: 1,
  readOnly: false,
  exhaustion: true,
  allowIncomplete: false,
  concurrency: 4,
  effort: 'quick',
};

/** Alone first; a few are seen only together with the cases beside them. */
const extents = (requirement: string): readonly Settings[] => [
  { ...settings, requirements: [requirement] },
  { ...settings, requirements: [requirement], effort: 'standard' },
  settings,
];

/** Undefined where no mutant breaks it, or none is noticed. */
export async function exampleOf(requirement: string): Promise<Example | undefined> {
  const breaking = [...mutants, ...generatedMutants].filter(({ breaks }) => breaks.some((id) => id === requirement));
  const only = breaking.filter(({ breaks }) => breaks.length === 1);
  for (const extent of extents(requirement)) {
    for (const mutant of [...only, ...breaking].slice(0, mutantsMax)) {
      const report = await reportOf(mutant, extent);
      const result = report.requirements.find(({ id, verdict }) => id === requirement && verdict === 'failed');
      if (result) return { mutant: mutant.id, report, result };
    }
  }
  return undefined;
}
