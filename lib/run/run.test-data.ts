// Runs a few cases of one suite against the reference in this process, for tests of the run.
import { defaultSettings, targetOf } from '../../lab/examine.ts';
import { createReference } from '../../lab/reference/index.ts';
import { type Case, conforms, type Invariant, type Suite, suite } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { Entry } from '../client/ledger.ts';
import { type Handler, handlerTransport } from '../client/transports/handler.ts';
import type { Settings } from '../configuration/settings.ts';
import { expectStatus } from '../expect/expect.ts';
import type { Rules } from '../model/judge.ts';
import type { Report } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { run } from './run.ts';
import type { OnStandstill } from './schedule.ts';

interface CaseTrial {
  readonly cases: readonly (Case | Invariant)[];
  readonly rules?: Rules;
  readonly settings?: Partial<Settings>;
  readonly wrap?: (honest: Handler) => Handler;
  readonly drop?: string;
  readonly signal?: AbortSignal;
  readonly record?: (entry: Entry) => void;
  readonly onStandstill?: OnStandstill;
}

export async function trial(given: CaseTrial) {
  const { cases, rules, settings, wrap = (honest: Handler) => honest, drop, signal, record, onStandstill } = given;
  const clock = virtualClock();
  const { handler, env } = await createReference({ clock: clock.inside });
  const offered = Object.fromEntries(Object.entries(env).filter(([name]) => name !== drop));
  const suites: Suite[] = [suite('companies', cases, rules)];
  const transport = handlerTransport(wrap(handler), clock);
  const { report, transcript } = await run({
    suites,
    target: targetOf(offered),
    settings: { ...defaultSettings, ...settings },
    transport,
    clock,
    ...defined({ signal, record, onStandstill }),
  });
  return { report, transcript, env };
}

export const of = (report: Report, id: RequirementId) => report.requirements.find((one) => one.id === id);
export const passing = conforms('companies-read-unknown', {}, async ({ api, check }) => {
  const reply = await api.send('GET /companies/{company_id}', { path: { company_id: 2_000_000_000 } });
  await check('companies-read-unknown', () => expectStatus(reply, 404));
});
export const only = (...ids: RequirementId[]): Partial<Settings> => ({ requirements: ids });
