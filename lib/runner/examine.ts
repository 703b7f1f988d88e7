// Examines a server from a program: over the network, or a handler in this process.
import { suites } from '../../suites/index.ts';
import { at } from '../client/reply.ts';
import { handlerTransport } from '../client/transports/handler.ts';
import { type LiveTransport, liveTransport, revealing } from '../client/transports/live.ts';
import type { Transport } from '../client/transports/transport.ts';
import type { NetworkSettings } from '../configuration/network.ts';
import { UsageError } from '../configuration/settings.ts';
import type { OnEvent } from '../events.ts';
import type { RunResult } from '../result.ts';
import { run } from '../run/run.ts';
import { anySignal, onEmptyLoop, wallClock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { wordOf } from '../runtime/text.ts';
import type { VirtualClock } from '../runtime/virtual-clock.ts';
import { instant } from '../schema/instant.ts';
import { Secrets } from '../secrets/secrets.ts';
import { checked, type ExamineOptions } from './options.ts';

const realTime: VirtualClock = { ...wallClock, during: (work) => work(), inside: wallClock };
/** Two clocks this close agree, in milliseconds. */
const apartMs = 60_000;

const timeIn = (body: string): number | undefined => {
  try {
    return instant(wordOf(at(JSON.parse(body), 'timestamp')))?.ms;
  } catch {
    return undefined;
  }
};

/** A server on the machine's clock in a run on virtual time would seem to count its limits wrongly. */
function onSameTime(transport: Transport, clock: VirtualClock, refuse: (error: UsageError) => void): Transport {
  let isKnown = false;
  return async (sent, limits) => {
    const reply = await transport(sent, limits);
    const time = isKnown ? undefined : timeIn(reply.body);
    if (time === undefined) return reply;
    isKnown = true;
    if (Math.abs(time - clock.now()) > apartMs && Math.abs(time - wallClock.now()) <= apartMs) {
      refuse(
        new UsageError(
          'the server that fetch is goes by the time of the machine, the run by clock; let the server read clock.now(), or leave clock out.',
        ),
      );
    }
    return reply;
  };
}

/** Ends a run early with an error of the caller's code. */
class EarlyEnd {
  error: unknown;
  private readonly controller = new AbortController();
  readonly signal: AbortSignal = this.controller.signal;

  readonly because = (error: unknown): void => {
    if (this.signal.aborted) return;
    this.error = error;
    this.controller.abort(error);
  };

  /** An error of the listener ends the run; it is not one of the suite. */
  guarding(listener: OnEvent): OnEvent {
    return (event) => {
      if (this.signal.aborted) return;
      try {
        listener(event);
      } catch (error) {
        this.because(error);
      }
    };
  }
}

function wayTo(
  { fetch, clock = realTime }: ExamineOptions,
  network: NetworkSettings,
  earlyEnd: EarlyEnd,
): LiveTransport & { clock: VirtualClock } {
  if (fetch === undefined) return { ...liveTransport(network), clock };
  const inner = revealing(
    handlerTransport(async (request) => fetch(request), clock),
    network.secrets,
  );
  const send = clock === realTime ? inner : onSameTime(inner, clock, earlyEnd.because);
  return { send, close: async () => {}, clock };
}

/**
 * Runs the suite and resolves with what `report.json` holds, whatever the server does. Nothing is printed, and nothing is
 * read that is not given.
 * @throws UsageError on options that are wrong, before anything is sent; and whatever `onEvent` throws.
 */
export async function examine(options: ExamineOptions): Promise<RunResult> {
  const { target, settings, network, own } = checked(options);
  const earlyEnd = new EarlyEnd();
  const { send, close, clock } = wayTo(options, network, earlyEnd);
  const onEvent = options.onEvent && earlyEnd.guarding(options.onEvent);
  const secrets = new Secrets();
  for (const [name, value] of Object.entries(network.secrets)) secrets.add(name, value);
  const signal = anySignal(earlyEnd.signal, options.signal);
  try {
    const result = await run({
      suites: [...suites, ...own],
      target,
      settings,
      transport: send,
      clock,
      signal,
      secrets,
      onStandstill: onEmptyLoop,
      ...defined({ onEvent }),
    });
    if (earlyEnd.signal.aborted) throw earlyEnd.error;
    return result;
  } finally {
    await close();
  }
}
