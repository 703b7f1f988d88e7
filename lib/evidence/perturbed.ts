// The search for a change of recorded replies that turns a check red: of one reply of a case at a time, and of all to one operation.
import type { Suite } from '../case.ts';
import { at, isObject } from '../client/reply.ts';
import type { WireReply } from '../client/transports/transport.ts';
import { defined } from '../runtime/defined.ts';
import { CasesOf } from './cases-of.ts';
import type { Arrival } from './format.ts';
import type { Got } from './got.ts';
import { additions, bodyOf, type Perturbation } from './perturbations.ts';
import { RecordedReplies, routeOf } from './recorded-replies.ts';
import { type Rejudged, rejudge } from './rejudge.ts';
import { wireOf } from './replay.ts';
import type { WholeEvidence } from './replayed.ts';
import { trialsOf } from './trials.ts';

/** What became of a requirement whose replies were changed. */
export interface Attempt {
  readonly requirement: string;
  /** How often something was changed. */
  readonly trials: number;
  /** What turned it red, in words. */
  readonly by?: string;
  /** Its case is red without a change where it asks alone, which would prove nothing. */
  readonly unsound?: true;
}

/** One case is tried so often at most, the less the fewer replies it gets, and with so many replies in all: a long one costs more each time. */
const trialsMax = 200;
const trialsMin = 20;
const trialsEach = 6;
const repliesMax = 30_000;

export class Perturber {
  private readonly suites: readonly Suite[];
  private readonly evidence: WholeEvidence;
  private readonly replies: RecordedReplies;
  private readonly cases: CasesOf;
  private readonly extra: readonly Perturbation[];

  constructor(suites: readonly Suite[], evidence: WholeEvidence) {
    this.suites = suites;
    this.evidence = evidence;
    this.replies = new RecordedReplies(evidence.entries);
    this.cases = new CasesOf(suites, evidence.header);
    this.extra = extraOf(evidence);
  }

  /** Changes the replies to one case until each of these requirements that it serves has failed, or nothing is left to change. */
  async attempts(title: string, requirements: readonly string[]): Promise<readonly Attempt[]> {
    const attempts = await this.tried(this.suites, title, requirements);
    const unsound = attempts.filter((one) => one.unsound).map(({ requirement }) => requirement);
    if (unsound.length === 0) return attempts;
    // Rules take what other cases have written for the target's own doing: what the case checks itself is left.
    const blind = this.suites.map(({ rules: _, ...rest }) => rest);
    return [...attempts.filter((one) => !one.unsound), ...(await this.tried(blind, title, unsound))];
  }

  private async tried(
    suites: readonly Suite[],
    title: string,
    requirements: readonly string[],
  ): Promise<readonly Attempt[]> {
    const judged = (wanted: ReadonlySet<string>, altered?: ReadonlyMap<Arrival, WireReply>): Promise<Rejudged> =>
      this.judged(suites, title, wanted, altered);
    const wanted = this.cases.of(title).filter((id) => requirements.includes(id));
    const base = await judged(new Set(wanted));
    const red = failedIn(base);
    const open = new Set(wanted.filter((id) => !red.has(id)));
    const attempts = wanted
      .filter((id) => red.has(id))
      .map((requirement): Attempt => ({ requirement, trials: 0, unsound: true }));
    const got = gotIn(base);
    const own = got.filter(({ owner }) => owner === title);
    const most = Math.min(trialsMax, trialsMin + trialsEach * own.length, Math.ceil(repliesMax / got.length));
    let trials = 0;
    for (const { kind, altered } of trialsOf(got, own, this.extra)) {
      if (open.size === 0 || trials === most) break;
      trials += 1;
      for (const id of failedIn(await judged(open, altered)))
        if (open.delete(id)) attempts.push({ requirement: id, trials, by: kind });
    }
    return [...attempts, ...[...open].map((requirement) => ({ requirement, trials }))];
  }

  private judged(
    suites: readonly Suite[],
    title: string,
    wanted: ReadonlySet<string>,
    altered?: ReadonlyMap<Arrival, WireReply>,
  ): Promise<Rejudged> {
    const { replies, evidence } = this;
    const only = new Set([title]);
    return rejudge({ suites, header: evidence.header, replies, only, wanted, ...defined({ altered }) });
  }
}

const failedIn = ({ brief }: Rejudged): ReadonlySet<string> =>
  new Set(brief.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id));

const gotIn = ({ used }: Rejudged): Got[] =>
  used.flatMap((one) =>
    'reply' in one.arrival ? [{ ...one, wire: wireOf(one.arrival), route: routeOf(one.sent) }] : [],
  );

/** What a reply could show besides, as other replies of this run do. */
function extraOf({ entries }: WholeEvidence): Perturbation[] {
  const bodies = entries.flatMap((entry) => ('reply' in entry ? [bodyOf(wireOf(entry))] : []));
  const pagination = bodies.map((body) => at(body, 'pagination')).find(isObject);
  const key = bodies.map((body) => at(body, 'data', 'api_key')).find((one) => typeof one === 'string');
  return [{ pagination }, { api_key: key }, { data: [{}] }].flatMap(additions);
}
