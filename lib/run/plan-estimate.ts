// What a run will cost, before anything is sent: from the table of costs, the credentials that are set and their limits.
import type { Case } from '../case.ts';
import { defaultLimits, documentedMinuteMs, type RateClass } from '../catalogue/operations.ts';
import { clientPool } from '../client/client.ts';
import { type CredentialName, credentialNames, type Settings, type Target } from '../configuration/settings.ts';
import { behind } from '../fixtures/fixtures.ts';
import type { Plan } from '../result.ts';
import { seededRandom } from '../runtime/random.ts';
import { type Cost, type Payer, payers } from './cost.ts';
import { type CasePlan, payerNamed, planCases, type SpareName } from './plan.ts';
import { costOf, probeTitle, readsOf, sharedCost, writesOf } from './plan-costs.ts';
import type { Selection } from './selection.ts';

/** A quiet minute before the limits are exceeded, and one until requests are accepted again. */
const minutesOfExhaustion = 2;

interface Request {
  readonly account: string;
  readonly rate: RateClass;
  readonly count: number;
}

/** Every cost that will arise, with the account that stands for `spare`. */
type Item = readonly [cost: Cost, spare: SpareName];

function requestsIn(items: readonly Item[], accountOf: (payer: Payer, spare: SpareName) => string): Request[] {
  return items.flatMap(([cost, spare]) => [
    ...payers.flatMap((payer): Request[] => {
      const account = accountOf(payer, spare);
      return [
        { account, rate: 'read', count: readsOf(cost, payer) },
        { account, rate: 'write', count: writesOf(cost, payer) },
      ];
    }),
    { account: clientPool, rate: 'validate' as const, count: cost.validations ?? 0 },
  ]);
}

/** Requests of the same account and class together. */
function summed(requests: readonly Request[]): Plan['requests'] {
  const sums = new Map<string, Plan['requests'][number]>();
  for (const { account, rate, count } of requests) {
    const key = `${rate} ${account}`;
    const requestsSoFar = sums.get(key)?.requests ?? 0;
    if (count > 0) sums.set(key, { account, class: rate, requests: requestsSoFar + count });
  }
  return [...sums.values()].sort((one, other) =>
    `${one.class}${one.account}` < `${other.class}${other.account}` ? -1 : 1,
  );
}

/** Where the credentials are given, and what follows from them without asking the target. */
class Assumed {
  private readonly names: ReadonlySet<CredentialName>;
  private readonly exhaustion: boolean;
  readonly limits: Readonly<Record<RateClass, number>>;

  constructor(target: Target | undefined, exhaustion: boolean) {
    this.names = new Set(credentialNames.filter((name) => !target || target.credentials[name] !== undefined));
    this.exhaustion = exhaustion;
    this.limits = { ...defaultLimits, ...target?.limits };
  }

  get apart(): boolean {
    return this.names.has('COVENANT_RATE_API_KEY');
  }

  get spare(): readonly SpareName[] {
    const all = ['COVENANT_API_KEY', 'COVENANT_API_KEY_SECONDARY', 'COVENANT_RATE_API_KEY'] as const;
    return all.filter((name) => this.names.has(name) && !(name === 'COVENANT_RATE_API_KEY' && this.exhaustion));
  }

  /** Whether everything that the case asks for can be had, as far as the credentials go. */
  runs({ needs = [] }: Case): boolean {
    return needs.every((need) => {
      const name = behind[need];
      return name === undefined || this.names.has(name);
    });
  }

  readonly accountOf = (payer: Payer, spare: SpareName): string => {
    if (payer === 'spare') return spare;
    if (payer === 'exhaustible') return this.apart ? 'COVENANT_RATE_API_KEY' : 'COVENANT_API_KEY';
    return { primary: 'COVENANT_API_KEY', secondary: 'COVENANT_API_KEY_SECONDARY', session: 'COVENANT_JWT' }[payer];
  };

  has(account: string): boolean {
    return account === clientPool || this.names.has(account as CredentialName);
  }

  minutes(items: readonly Item[]): number {
    const pools = summed(requestsIn(items, this.accountOf)).filter(({ account }) => this.has(account));
    return Math.max(0, ...pools.map((one) => Math.floor((one.requests - 1) / this.limits[one.class])));
  }
}

export interface Estimate extends Plan {
  /** The cases by what they cost, dearest first. */
  readonly dearest: readonly { readonly title: string; readonly writes: number; readonly validations: number }[];
}

/** Nothing is sent: every account is taken to have the limits that are configured, or else the document's. */
export function estimate(
  { cases, titles }: Selection,
  { effort, exhaustion, seed }: Settings,
  target?: Target,
  minuteMs: number = target?.minuteMs ?? documentedMinuteMs,
): Estimate {
  const assumed = new Assumed(target, exhaustion);
  const running = cases.filter((one) => assumed.runs(one));
  const plan: CasePlan = planCases({
    cases: running,
    titles,
    effort,
    accounts: {
      spare: assumed.spare.map((name) => ({
        name,
        writes: assumed.limits.write,
        reads: assumed.limits.read,
        payers: [payerNamed[name]],
      })),
      exhaustibleApart: assumed.apart,
    },
    random: seededRandom(seed),
  });
  const item = (one: Case): Item => [plan.costOf(one), plan.spareOf.get(one) ?? 'COVENANT_API_KEY'];
  const writing = running.some(({ writes }) => writes);
  const always = [costOf(probeTitle, effort), ...(writing ? [sharedCost(running, effort)] : [])].map(
    (cost): Item => [cost, 'COVENANT_API_KEY'],
  );
  const main = [...always, ...running.filter(({ exhausts }) => !exhausts).map(item)];
  const everything = [...main, ...plan.exhausting.map(item)];
  const last = plan.exhausting.length > 0 ? minutesOfExhaustion : 0;
  const minutes = assumed.apart ? Math.max(assumed.minutes(main), last) : assumed.minutes(main) + last;
  const sum = (kind: 'companies' | 'contacts') => everything.reduce((total, [cost]) => total + (cost[kind] ?? 0), 0);
  const residue = [
    { kind: 'company', count: sum('companies') },
    { kind: 'contact', count: sum('contacts') },
  ];
  return {
    requests: summed(requestsIn(everything, assumed.accountOf)).filter(({ account }) => assumed.has(account)),
    residue: residue.filter(({ count }) => count > 0),
    duration_ms: minutes * minuteMs,
    dearest: running
      .map((one) => ({
        title: titles.get(one) ?? '',
        writes: payers.reduce((total, payer) => total + writesOf(plan.costOf(one), payer), 0),
        validations: plan.costOf(one).validations ?? 0,
      }))
      .sort((one, other) => other.writes - one.writes || other.validations - one.validations),
  };
}
