// What a run will cost: the same suite rehearsed against the bundled reference, in this process and on virtual time.
import { createReference } from '../../lab/reference/index.ts';
import type { Suite } from '../case.ts';
import { defaultLimits } from '../pacing.ts';
import type { Plan } from '../report/model.ts';
import { run } from '../run.ts';
import { credentialNames, type Settings, type Target } from '../settings.ts';
import { handlerTransport } from '../transport/handler.ts';
import { virtualClock } from '../virtual-clock.ts';

/** The target as configured, with the reference's own secret in place of each that is set. */
function rehearsalTarget(target: Target | undefined, env: Readonly<Record<string, string>>): Target {
  const names = credentialNames.filter((name) => !target || target.credentials[name] !== undefined);
  const slug = env.COVENANT_FOREIGN_SLUG;
  const hasSlug = slug !== undefined && (!target || target.foreignSlug !== undefined);
  return {
    baseUrl: 'http://rehearsal.invalid',
    credentials: Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...(hasSlug ? { foreignSlug: slug } : {}),
    limits: {},
    minuteMs: 60_000,
    originApp: 'covenant',
    timeoutMs: 10_000,
  };
}

/** Sends nothing. Every account is taken to have the limits that are configured, or else the document's defaults. */
export async function planRun(suites: readonly Suite[], settings: Settings, target?: Target): Promise<Plan> {
  const clock = virtualClock();
  const limits = { ...defaultLimits, ...target?.limits };
  const tiers = { starter: limits, standard: limits, business: limits };
  const { handler, env } = await createReference({ clock: clock.inside, tiers });
  const transport = handlerTransport(handler, clock);
  const { report } = await run({ suites, settings, transport, clock, target: rehearsalTarget(target, env) });
  const kinds = [...new Set(report.residue.map(({ kind }) => kind))].sort();
  return {
    requests: report.budget.map(({ account, class: rate, sent }) => ({ account, class: rate, requests: sent })),
    residue: kinds.map((kind) => ({ kind, count: report.residue.filter((one) => one.kind === kind).length })),
    duration_ms: report.run.duration_ms,
  };
}
