// Abort signals put together: of a run that may be stopped from outside or from within.
import { setMaxListeners } from 'node:events';

/** Aborted with the first of these; every request and every wait of a run may listen to it. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const any = AbortSignal.any(signals.filter((signal) => signal !== undefined));
  setMaxListeners(0, any);
  return any;
}
