// One bad network, drawn from a seed: which kind, how often or when, and between whom.
import type { Transport } from '../../lib/client/transports/transport.ts';
import type { Clock } from '../../lib/runtime/clock.ts';
import { type Random, seededRandom } from '../../lib/runtime/random.ts';
import { type Subject, subjectOf, subjects } from '../matrix/subject.ts';
import { type Kind, kinds } from './kinds.ts';

export interface Schedule {
  readonly seed: number;
  readonly kind: Kind;
  /** Disturbed requests of a thousand, if the kind is a matter of rate. */
  readonly perMille: number;
  /** Milliseconds after the beginning, from and to. */
  readonly outage: readonly [number, number];
  /** The server behind it. */
  readonly subject: Subject;
}

/** 0.2, 1 and 5 %. */
const rates = [2, 10, 50] as const;
/** An outage begins within so many milliseconds: a run takes about three minutes. */
const beginsWithinMs = 150_000;
const idleMs = 5_000;

/** Others who make records of their own all the time would look as if a run had left them behind. */
const unfit = /^(network-|population-others-at-work)/;
const lawful = subjects.filter(({ id, kind }) => kind !== 'mutant' && kind !== 'reference' && !unfit.test(id));
/** Without a Date header timestamps are held against the client's clock: a clock that is a day behind all the time is wrong. */
const dated = lawful.filter(({ id, why }) => !/-no-date\b/.test(`${id} ${why}`));
const isWrongThroughout = ({ jump, occasion }: Kind): boolean => jump !== undefined && occasion !== 'outage';
const [reference] = subjects;

/** Kinds and rates take turns, so that any thousand consecutive seeds hold them all; every second one meets the reference. */
function scheduleOf(seed: number, given?: Subject): Schedule {
  const random = seededRandom(seed).derive('network');
  const kind = kinds[seed % kinds.length];
  const fit = kind && isWrongThroughout(kind) ? dated : lawful;
  const subject = given ?? (Math.floor(seed / kinds.length) % 2 === 0 ? reference : random.shuffled(fit)[0]);
  if (kind === undefined || subject === undefined) throw new Error('there is nothing to draw from');
  const from = random.int(0, beginsWithinMs);
  const seconds = kind.seconds?.[random.int(0, kind.seconds.length - 1)] ?? 0;
  return {
    seed,
    kind,
    perMille: rates[Math.floor(seed / kinds.length) % rates.length] ?? rates[0],
    outage: [from, from + seconds * 1000],
    subject,
  };
}

/** `network-<seed>`, or `network-<seed>-<subject>` behind which that subject stands. */
export function scheduleNamed(name: string) {
  const [, seed, subject] = /^network-(\d+)(?:-(.+))?$/.exec(name) ?? [];
  return scheduleOf(Number(seed), subject === undefined ? undefined : subjectOf(subject));
}

/** How far a clock is from the right time, so long after the beginning. */
export function skewAt({ kind, outage: [from, to] }: Schedule, whose: 'target' | 'ours', ms: number): number {
  if (kind.jump?.whose !== whose) return 0;
  return kind.occasion === 'outage' && (ms < from || ms >= to) ? 0 : kind.jump.ms;
}

function disturbs({ kind, perMille, outage: [from, to] }: Schedule, random: Random) {
  return {
    rate: () => random.int(1, 1000) <= perMille,
    outage: (ms: number) => ms >= from && ms < to,
    idle: (_: number, pausedMs: number) => pausedMs > idleMs && random.int(0, 1) === 0,
    keys: (_: number, __: number, url: string, method: string) =>
      method === 'POST' && url.endsWith('/api-keys') && random.int(0, 3) === 0,
  }[kind.occasion];
}

/** The transport with the bad network of the schedule in its way; on virtual time or on any other. */
export function disturbed(transport: Transport, schedule: Schedule, clock: Clock): Transport {
  const random = seededRandom(schedule.seed).derive('strikes');
  const isDisturbed = disturbs(schedule, random);
  const startedAt = clock.now();
  let lastAt = startedAt;
  return async (sent, limits) => {
    const now = clock.now();
    const applies = isDisturbed(now - startedAt, now - lastAt, sent.url, sent.method);
    lastAt = now;
    if (!applies) return transport(sent, limits);
    return schedule.kind.disturb({
      method: sent.method,
      keyed: sent.headers['idempotency-key'] !== undefined,
      timeoutMs: limits.timeoutMs,
      random,
      forward: () => transport(sent, limits),
      pause: (ms) => clock.sleep(ms, limits.signal),
    });
  };
}
