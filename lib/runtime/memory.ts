// How much garbage this process lets pile up.
import { setFlagsFromString } from 'node:v8';

/** Garbage is collected once it is this share of what is in use, in percent; by itself V8 waits for several times as much. */
const growth = 50;

/** From now on memory is worth more than the processor's time: for whoever reads much that is soon let go. */
export function collectEarly(): void {
  try {
    setFlagsFromString(`--heap-growing-percent=${growth}`);
  } catch {
    // Bun has another engine, and no such flag.
  }
}
