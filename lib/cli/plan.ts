// What a run would do: as a forecast from what a probe has shown, and dry, against the bundled reference on virtual time.
import { createReference } from '../../lab/reference/index.ts';
import type { Suite } from '../case.ts';
import { defaultLimits } from '../catalogue/operations.ts';
import { handlerTransport } from '../client/transports/handler.ts';
import { credentialNames, type Settings, type Target, targetDefaults } from '../configuration/settings.ts';
import type { Probed } from '../doctor/diagnose.ts';
import type { Plan, Report } from '../result.ts';
import { planCases } from '../run/plan.ts';
import { accountsOf } from '../run/plan-accounts.ts';
import { forecast } from '../run/plan-estimate.ts';
import { run } from '../run/run.ts';
import { select } from '../run/selection.ts';
import { defined } from '../runtime/defined.ts';
import { seededRandom } from '../runtime/random.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';

/** The target as configured, with the reference's own secret in place of each that is set. */
function dryRunTarget(target: Target, env: Readonly<Record<string, string>>): Target {
  const names = credentialNames.filter((name) => target.credentials[name] !== undefined);
  return {
    ...targetDefaults,
    baseUrl: 'http://dry-run.invalid',
    credentials: Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...defined({ foreignSlug: target.foreignSlug && env.COVENANT_FOREIGN_SLUG }),
    minuteMs: target.minuteMs,
  };
}

/**
 * The report of a run that sends nothing. Every account of a target is taken to have the limits that are configured, or
 * else the document's defaults, and only the credentials that it has are there.
 */
export async function dryRun(suites: readonly Suite[], settings: Settings, target: Target): Promise<Report> {
  const clock = virtualClock();
  const limits = { ...defaultLimits, ...target.limits };
  const tiers = { starter: limits, standard: limits, business: limits };
  const { handler, env } = await createReference({ clock: clock.inside, minuteMs: target.minuteMs, tiers });
  const transport = handlerTransport(handler, clock);
  const assumed = dryRunTarget(target, env);
  const { report } = await run({ suites, settings, transport, clock, target: assumed });
  return report;
}

/** What a run would cost, once it is known what the probe has shown. */
export async function forecastOf(
  suites: readonly Suite[],
  settings: Settings,
  { connection, statuses }: Probed,
): Promise<Plan> {
  const { cases } = select(suites, settings);
  const accounts = await accountsOf(statuses, connection, cases);
  const plan = planCases({ cases, effort: settings.effort, accounts, random: seededRandom(settings.seed) });
  return forecast({ cases, plan, settings, accounts, statuses }, connection);
}
