// What a run will cost: bounds before the probe, and exactly once it has shown the accounts and their limits.
import type { Case } from '../case.ts';
import { defaultLimits, type RateClass } from '../catalogue/operations.ts';
import { type Connection, clientPool } from '../client/client.ts';
import { unauthenticated } from '../client/pacing.ts';
import type { CredentialName, Settings, Target } from '../configuration/settings.ts';
import { behind } from '../fixtures/fixtures.ts';
import type { CredentialStatuses } from '../fixtures/probe.ts';
import type { Plan } from '../result.ts';
import { seededRandom } from '../runtime/random.ts';
import { type Cost, costOf, type Payer, payers, readsOf, sharedCosts, writesOf } from './cost.ts';
import { type Accounts, type CasePlan, minutesOfExhaustion, payerNamed, planCases, type SpareName } from './plan.ts';
import type { Selection } from './selection.ts';

/** The share of the replies' time that is not spent while others wait. */
const unsharedShare = 0.6;
/** Queues that usually run in parallel. */
const queuesAtOnce = 4;
/** The most time that a request takes on this machine, in milliseconds. */
const machineMsMax = 5;

/** What is known of the credentials. */
interface Known {
  /** The accounts that count the credential's requests, its own first; none if it is missing or refused. */
  accountsOf(name: CredentialName): readonly string[];
  limit(account: string, rate: RateClass): number;
  /** The share of the session's requests that counts on the account. */
  sessionShare(account: string): number;
}

type Tally = Map<string, Plan['requests'][number]>;

function tally(into: Tally, account: string, rate: RateClass, count: number): void {
  const key = `${rate} ${account}`;
  const requests = (into.get(key)?.requests ?? 0) + count;
  if (requests > 0) into.set(key, { account, class: rate, requests });
}

class Sum {
  private readonly known: Known;
  private readonly exhaustible: CredentialName;
  private readonly sent: Tally = new Map();
  /** By account: the requests that wait for their turn. */
  private readonly paced: Tally = new Map();
  /** By account: the requests that wait until its limits have been exceeded. */
  private readonly after: Tally = new Map();
  private readonly stays = { company: 0, contact: 0 };
  /** Its cases run one after the other. */
  private ofSession = 0;

  constructor(known: Known) {
    this.known = known;
    const dedicated = known.accountsOf('COVENANT_RATE_API_KEY').length > 0;
    this.exhaustible = dedicated ? 'COVENANT_RATE_API_KEY' : 'COVENANT_API_KEY';
  }

  add(cost: Cost, spare: SpareName, exhausts = false): void {
    for (const payer of payers) {
      this.addOf(payer, 'write', writesOf(cost, payer), cost, { spare, exhausts });
      this.addOf(payer, 'read', readsOf(cost, payer), cost, { spare, exhausts });
    }
    const { validations = 0, companies = 0, contacts = 0 } = cost;
    const validated = exhausts ? this.inBurst(clientPool, 'validate', validations) : validations;
    tally(this.sent, clientPool, 'validate', validated);
    if (!exhausts) tally(this.paced, clientPool, 'validate', validations);
    this.stays.company += companies;
    this.stays.contact += contacts;
  }

  /** Without what comes once limits are exceeded. */
  get minutes(): number {
    return this.minutesOf(this.paced);
  }

  get minutesAfter(): number {
    return this.minutesOf(this.after);
  }

  /**
   * The time of the replies, if each takes `each` and `underWay` are in progress: even a quick one takes the machine's
   * time.
   */
  replyMs(each: number, underWay: number): number {
    const all = [...this.sent.values()].reduce((sum, { requests }) => sum + requests, 0);
    return Math.max(this.ofSession * each, (all * each) / underWay, all * Math.min(each, machineMsMax));
  }

  planned(duration_ms: number): Plan {
    const { company, contact } = this.stays;
    const residue = [
      { kind: 'company', count: company },
      { kind: 'contact', count: contact },
    ];
    return {
      requests: [...this.sent.values()].map((one) => ({ ...one, requests: Math.round(one.requests) })),
      residue: residue.filter(({ count }) => count > 0),
      duration_ms,
    };
  }

  private nameOf(payer: Payer, spare: SpareName): CredentialName | undefined {
    const names = {
      primary: 'COVENANT_API_KEY',
      secondary: 'COVENANT_API_KEY_SECONDARY',
      session: 'COVENANT_JWT',
    } as const;
    if (payer === 'nobody') return undefined;
    if (payer === 'spare') return spare;
    return payer === 'exhaustible' ? this.exhaustible : names[payer];
  }

  private addOf(
    payer: Payer,
    rate: 'read' | 'write',
    count: number,
    { validations = 0 }: Cost,
    { spare, exhausts }: { readonly spare: SpareName; readonly exhausts: boolean },
  ): void {
    const name = this.nameOf(payer, spare);
    const accounts = name === undefined ? [unauthenticated] : this.known.accountsOf(name);
    const [account] = accounts;
    if (account === undefined) return;
    const exceeds = exhausts && payer === 'exhaustible';
    // Whoever exceeds the limit of validations keeps to the others.
    const isBurst = exceeds && validations === 0;
    tally(this.sent, account, rate, isBurst ? this.inBurst(account, rate, count) : count);
    if (payer === 'session') this.ofSession += count;
    if (!isBurst && name !== undefined)
      for (const one of accounts) {
        const share = payer === 'session' ? this.known.sessionShare(one) : 1;
        tally(exceeds ? this.after : this.paced, one, rate, share * count);
      }
  }

  /** What exceeds the limit of the document once exceeds a higher one by as much. */
  private inBurst(account: string, rate: RateClass, count: number): number {
    const usual = defaultLimits[rate];
    return count < usual ? count : count + this.known.limit(account, rate) - usual;
  }

  /** A minute admits a limit's worth, the first of them at once. */
  private minutesOf(paced: Tally): number {
    const minutes = ({ account, class: rate, requests }: Plan['requests'][number]) =>
      Math.floor((requests - 1) / this.known.limit(account, rate));
    return Math.max(0, ...[...paced.values()].map(minutes));
  }
}

interface Planned {
  readonly cases: readonly Case[];
  readonly plan: CasePlan;
  readonly settings: Pick<Settings, 'effort' | 'concurrency'>;
  readonly apart: boolean;
  readonly known: Known;
  readonly minuteMs: number;
  /** Milliseconds that a reply takes. */
  readonly replyMs: number;
}

const canRun = ({ needs = [] }: Case, known: Known): boolean =>
  needs.every((need) => {
    const name = behind[need];
    return name === undefined || known.accountsOf(name).length > 0;
  });

/** What a run costs whose cases are planned like this. */
function estimate({ cases, plan, settings, apart, known, minuteMs, replyMs }: Planned): Plan {
  const { effort, concurrency } = settings;
  const running = cases.filter((one) => canRun(one, known));
  const sum = new Sum(known);
  for (const cost of sharedCosts(running, effort)) sum.add(cost, 'COVENANT_API_KEY');
  for (const one of running)
    sum.add(plan.costOf(one), plan.spareOf.get(one) ?? 'COVENANT_API_KEY', one.exhausts ?? false);
  // On the account of other cases one of the minutes is spent on deletions, which they have counted.
  const exceeding = minutesOfExhaustion - (apart ? 0 : 1);
  const exceeded = running.some(({ exhausts }) => exhausts) ? exceeding : 0;
  // On the account of other cases there is little left to do once they are over.
  const minutes = apart ? Math.max(sum.minutes, exceeded + sum.minutesAfter) : sum.minutes + exceeded;
  const [waiting, replies] = [minutes * minuteMs, sum.replyMs(replyMs, queuesAtOnce * concurrency)];
  // While one request waits for its turn others are answered, but for the last of them.
  const together = Math.max(waiting, replies) + Math.min(waiting, replies, unsharedShare * minuteMs);
  return sum.planned(Math.round(together));
}

/** What a run costs as the target answered the probe, in the time on the wall. */
export function forecast(
  {
    cases,
    plan,
    settings,
    accounts: { exhaustibleApart: apart, spare },
    statuses,
  }: Omit<Planned, 'apart' | 'known' | 'minuteMs' | 'replyMs'> & {
    readonly accounts: Accounts;
    readonly statuses: CredentialStatuses;
  },
  { target, pacing, recorder }: Connection,
): Plan {
  const { clockRate: rate = 1, minuteMs } = target;
  const took = recorder.replies.reduce((sum, { sentAt, receivedAt }) => sum + receivedAt - sentAt, 0);
  const replyMs = took / Math.max(1, recorder.replies.length) / rate;
  const known: Known = {
    accountsOf(name) {
      const status = statuses.get(name);
      return status === undefined || status.me?.status === 401 ? [] : status.credential.accounts;
    },
    limit: (account, one) => pacing.limit(account, one),
    sessionShare: (account) =>
      spare.find(({ name }) => statuses.get(name)?.credential.accounts.includes(account))?.payers.session ?? 1,
  };
  return estimate({ cases, plan, settings, apart, known, minuteMs: minuteMs / rate, replyMs });
}

/** Before anything is sent: each credential on an account of its own, or the session and what is exhausted on those of the keys. */
export function bounds(
  { cases }: Pick<Selection, 'cases'>,
  settings: Settings,
  target: Target | undefined,
  minuteMs: number,
): readonly [least: Plan, most: Plan] {
  const limits = { ...defaultLimits, ...target?.limits };
  const has = (name: CredentialName): boolean => !target || target.credentials[name] !== undefined;
  const all = (['COVENANT_API_KEY', 'COVENANT_API_KEY_SECONDARY', 'COVENANT_RATE_API_KEY'] as const).filter(has);
  const within = (shared: boolean): Plan => {
    const apart = has('COVENANT_RATE_API_KEY') && !shared;
    const names = all.filter((name) => name !== 'COVENANT_RATE_API_KEY' || (apart && !settings.exhaustion));
    const spare = names.map((name) => ({
      name,
      writes: limits.write,
      reads: limits.read,
      payers: { [payerNamed[name]]: 1, ...(shared && { session: 1 }) },
    }));
    const accounts: Accounts = { spare, exhaustibleApart: apart };
    const random = seededRandom(settings.seed);
    const known: Known = {
      accountsOf: (name) => (has(name) ? [name, ...(shared && name === 'COVENANT_JWT' ? names : [])] : []),
      limit: (_, rate) => limits[rate],
      sessionShare: () => 1,
    };
    const plan = planCases({ cases, effort: settings.effort, accounts, random });
    return estimate({ cases, plan, settings, apart, known, minuteMs, replyMs: 0 });
  };
  return [within(false), within(true)];
}

/** The costliest cases first. */
export const costliest = (
  { cases, titles }: Selection,
  { effort }: Pick<Settings, 'effort'>,
): readonly { readonly title: string; readonly writes: number; readonly validations: number }[] =>
  cases
    .map((one) => {
      const { nobody: _, validations = 0, ...cost } = costOf(one, effort);
      const writes = Math.round(payers.reduce((sum, payer) => sum + writesOf(cost, payer), 0));
      return { title: titles.get(one) ?? '', writes, validations };
    })
    .sort((one, other) => other.writes - one.writes || other.validations - one.validations);
