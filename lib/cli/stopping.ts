// Ctrl-C: the first one stops in good order, the second one leaves at once.
import { setMaxListeners } from 'node:events';
import { exitCodes } from '../gate/exit-code.ts';
import type { Console } from './console.ts';

export interface Stopping {
  readonly signal: AbortSignal;
  /** Stops listening for Ctrl-C. */
  release(): void;
}

/** `announcement` is said at the first Ctrl-C. */
export function stoppable(console: Console, announcement: string): Stopping {
  const controller = new AbortController();
  // Every request and every wait that is under way listens; a warning about their number would only alarm.
  setMaxListeners(0, controller.signal);
  const release = console.onStop(() => {
    if (controller.signal.aborted) return console.leave(exitCodes.interrupted);
    console.stderr(`\n${announcement}\n`);
    controller.abort(new Error('interrupted'));
  });
  return { signal: controller.signal, release };
}
