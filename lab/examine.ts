// Runs the suite against a handler in this process, on virtual time.

import { type Handler, handlerTransport } from '../lib/client/transports/handler.ts';
import {
  type CredentialName,
  credentialNames,
  type Settings,
  type Target,
  targetDefaults,
} from '../lib/configuration/settings.ts';
import type { BuiltReport } from '../lib/run/build-report.ts';
import { run } from '../lib/run/run.ts';
import type { RunInput } from '../lib/run/run-input.ts';
import { type VirtualClock, virtualClock } from '../lib/runtime/virtual-clock.ts';
import { suites } from '../suites/index.ts';
import { createReference, type ReferenceOptions } from './reference/index.ts';
import { createSecondReading, type SecondReadingOptions } from './second-reading/index.ts';

/** Inputs that are passed to the run unchanged. */
type Given = Pick<
  RunInput,
  'shuffled' | 'decided' | 'only' | 'holdMs' | 'signal' | 'secrets' | 'onEvent' | 'onCheckpoint' | 'onHistory'
>;

export interface Examination extends Given {
  readonly reference?: Omit<ReferenceOptions, 'clock'>;
  /** Examines the second reading in place of the reference. */
  readonly secondReading?: Omit<SecondReadingOptions, 'now'>;
  /** How far the reference's clock is ahead of the run's, in milliseconds. */
  readonly skewMs?: number;
  /** The latency of every reply, in milliseconds; default: none. */
  readonly latencyMs?: number;
  /** A mutant or a variant, between the suite and the reference. */
  readonly wrap?: (honest: Handler, clock: VirtualClock) => Handler;
  readonly settings?: Partial<Settings>;
  /** Overrides what the reference says about the target. */
  readonly target?: Partial<Target>;
  /** Changes the environment that the reference provides, for example to leave out a credential. */
  readonly env?: (env: Readonly<Record<string, string>>) => Record<string, string>;
}

export const defaultSettings: Settings = {
  seed: 1,
  readOnly: false,
  exhaustion: true,
  allowIncomplete: false,
  concurrency: 4,
  effort: 'standard',
};

const baseUrl = 'http://reference.test';

export function targetOf(env: Readonly<Record<string, string>>): Target {
  const credentials: Partial<Record<CredentialName, string>> = {};
  for (const name of credentialNames) if (env[name] !== undefined) credentials[name] = env[name];
  const slug = env.COVENANT_FOREIGN_SLUG;
  return {
    ...targetDefaults,
    baseUrl,
    credentials,
    ...(slug === undefined ? {} : { foreignSlug: slug }),
    minuteMs: Number(env.COVENANT_MINUTE_MS ?? targetDefaults.minuteMs),
  };
}

interface Server {
  readonly handler: Handler;
  readonly env: Readonly<Record<string, string>>;
}

async function serverOf({ reference, secondReading, skewMs = 0 }: Examination, clock: VirtualClock): Promise<Server> {
  const now = () => clock.now() + skewMs;
  if (secondReading === undefined) {
    const sleep = (ms: number) => clock.inside.sleep(ms);
    return createReference({ ...reference, clock: { now, sleep } });
  }
  const { handle, env } = await createSecondReading({ ...secondReading, now });
  return { handler: handle, env };
}

export async function examine(examination: Examination = {}): Promise<BuiltReport> {
  const {
    latencyMs = 0,
    wrap,
    settings,
    target,
    env,
    reference: _,
    secondReading: __,
    skewMs: ___,
    ...given
  } = examination;
  const clock = virtualClock();
  const { handler: honest, env: offered } = await serverOf(examination, clock);
  const handler = wrap ? wrap(honest, clock) : honest;
  const late: Handler = async (request) => {
    await clock.inside.sleep(latencyMs);
    return handler(request);
  };
  return run({
    ...given,
    suites,
    target: { ...targetOf(env ? env(offered) : offered), ...target },
    settings: { ...defaultSettings, ...settings },
    transport: handlerTransport(latencyMs > 0 ? late : handler, clock),
    clock,
  });
}
