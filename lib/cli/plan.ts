// What a run will cost: the same suite run dry against the bundled reference, in this process and on virtual time.
import { createReference } from '../../lab/reference/index.ts';
import type { Suite } from '../case.ts';
import { defaultLimits, documentedMinuteMs } from '../catalogue/operations.ts';
import { handlerTransport } from '../client/transports/handler.ts';
import { credentialNames, type Settings, type Target, targetDefaults } from '../configuration/settings.ts';
import type { Plan, Report } from '../result.ts';
import { run } from '../run/run.ts';
import { defined } from '../runtime/defined.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';

/** The target as configured, with the reference's own secret in place of each that is set. */
function dryRunTarget(target: Target | undefined, env: Readonly<Record<string, string>>, minuteMs: number): Target {
  const names = credentialNames.filter((name) => !target || target.credentials[name] !== undefined);
  const hasSlug = !target || target.foreignSlug !== undefined;
  return {
    ...targetDefaults,
    baseUrl: 'http://dry-run.invalid',
    credentials: Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...defined({ foreignSlug: hasSlug ? env.COVENANT_FOREIGN_SLUG : undefined }),
    minuteMs,
  };
}

/**
 * The report of a run that sends nothing. Every account of a target is taken to have the limits that are configured, or
 * else the document's defaults, and only the credentials that it has are there; without a target, it is the bundled
 * reference as it is.
 */
export async function dryRun(
  suites: readonly Suite[],
  settings: Settings,
  target?: Target,
  minuteMs = target?.minuteMs ?? documentedMinuteMs,
): Promise<Report> {
  const clock = virtualClock();
  const limits = { ...defaultLimits, ...target?.limits };
  const tiers = target && { starter: limits, standard: limits, business: limits };
  const { handler, env } = await createReference({ clock: clock.inside, minuteMs, ...defined({ tiers }) });
  const transport = handlerTransport(handler, clock);
  const assumed = dryRunTarget(target, env, minuteMs);
  const { report } = await run({ suites, settings, transport, clock, target: assumed });
  return report;
}

/** What a dry run cost. */
export function planOf(report: Report): Plan {
  const kinds = [...new Set(report.residue.map(({ kind }) => kind))].sort();
  return {
    requests: report.budget.map(({ account, class: rate, sent }) => ({ account, class: rate, requests: sent })),
    residue: kinds.map((kind) => ({ kind, count: report.residue.filter((one) => one.kind === kind).length })),
    duration_ms: report.run.duration_ms,
  };
}
