// One thing at a time: what comes in is handed on only when everything that came before has had its effect.

/** The effects of an arrival are promises that settle one after another before the event loop turns. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private scheduled = false;

  take(work: () => void): void {
    this.waiting.push(work);
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.waiting.shift()?.();
      this.schedule();
    });
  }
}
