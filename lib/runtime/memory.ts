// How much garbage this process lets pile up.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage is collected once it is this share of what is in use, in percent; by itself V8 waits for several times as much. */
const growth = 50;
/** Bytes read between two collections: what lies outside its heap V8 lets pile up where the machine is busy. */
const bytesBetween = 32 * 1024 * 1024;

let collect: (() => void) | undefined;
let bytesSince = 0;

function collector(): () => void {
  try {
    setFlagsFromString(`--heap-growing-percent=${growth}`);
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc') as () => void;
  } catch {
    // Bun has another engine, and no such flags.
    return () => {};
  }
}

/** From now on memory is worth more than the processor's time: for whoever reads so many bytes that are soon let go. */
export function collectEarly(bytes: number): void {
  collect ??= collector();
  bytesSince += bytes;
  if (bytesSince < bytesBetween) return;
  bytesSince = 0;
  collect();
}
