// The first and the last event of a run.
import type { Happening } from '../events.ts';
import { defined } from '../runtime/defined.ts';
import type { Brief } from './build-report.ts';
import type { RunInput } from './run-input.ts';
import type { Selection } from './selection.ts';
import { totalsOf } from './verdict.ts';

export const startedEvent = (
  run: string,
  { target, settings, plan }: RunInput,
  { ids, cases }: Selection,
): Happening => ({
  event: 'started',
  format: 'covenant-events/1',
  run,
  seed: settings.seed,
  base_url: target.baseUrl,
  requirements: ids.size,
  cases: cases.length,
  ...defined({ plan }),
});

export const finishedEvent = ({ verdict, reason, requirements }: Brief, durationMs: number): Happening => ({
  event: 'finished',
  verdict,
  ...defined({ reason }),
  totals: totalsOf(requirements),
  duration_ms: durationMs,
});
