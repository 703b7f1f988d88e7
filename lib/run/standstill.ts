// A run that stands still: the event loop is empty, so that nothing will ever end what it waits for.
import { Ended } from '../client/errors.ts';

/** Calls back whenever nothing is under way any more, until what is returned is called. */
export type OnStandstill = (call: () => void) => () => void;

/**
 * As the work, or `Ended` where it stands still: what listens to the run's end is ended first, and what does not is left
 * behind at the second time.
 */
export async function unlessStill(
  work: Promise<void>,
  onStandstill: OnStandstill = () => () => {},
  end: (why: Ended) => void = () => {},
): Promise<void> {
  const why = new Ended('an error of Covenant itself: it waits for something that never comes');
  let isStill = false;
  let release = () => {};
  const left = new Promise<void>((done) => {
    release = onStandstill(() => {
      if (isStill) done();
      isStill = true;
      end(why);
    });
  });
  await Promise.race([work, left]).finally(release);
  if (isStill) throw why;
}
