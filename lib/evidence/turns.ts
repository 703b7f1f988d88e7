// One thing at a time: what comes in is handed on only when everything that came before has had its effect.
import { whenQuiet } from '../runtime/quiet.ts';

/** The effects of an arrival are promises, one after another. A turn of the event loop for each would make twice as many turns of a run. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  take(work: () => void): void {
    this.waiting.push(work);
    if (this.waiting.length === 1) this.next();
  }

  private next(): void {
    whenQuiet(() => {
      this.waiting[0]?.();
      this.waiting.shift();
      if (this.waiting.length > 0) this.next();
    });
  }
}
