// A thread answers the identifier of a subject with its outcome.
import { expect, test } from 'vitest';
import type { Outcome } from './outcome.ts';
import { serve } from './worker.ts';

/** A port that keeps what is posted to it. */
function port() {
  let listener: (id: string) => void = () => {};
  let keep: (outcome: Outcome) => void = () => {};
  const posted = new Promise<Outcome>((resolve) => {
    keep = resolve;
  });
  return {
    port: {
      on(_: string, heard: (id: string) => void) {
        listener = heard;
        return this;
      },
      postMessage: (outcome: Outcome) => keep(outcome),
    },
    send: (id: string) => listener(id),
    posted,
  };
}

test('a thread posts the outcome, of a lawful server that of a standard run', async () => {
  const { port: ours, send, posted } = port();
  serve(ours as unknown as Parameters<typeof serve>[0], { effort: 'quick', areas: ['billing'] });
  send('reference');
  expect(await posted).toMatchObject({
    subject: 'reference',
    verdict: 'conformant',
    failed: [],
    untested: [],
    effort: 'standard',
  });
});

test.each([
  [[], ['errors-malformed-json-envelope']],
  [['errors-malformed-json-envelope and 2 more', 'rate-limits-validate-allowed and 6 more'], []],
])('without the cases %j a mutant that only they kill fails %j', async (without, failed) => {
  const { port: ours, send, posted } = port();
  serve(ours as unknown as Parameters<typeof serve>[0], { effort: 'quick', areas: ['errors'], without });
  send('errors-malformed-contact-is-a-page');
  expect((await posted).failed).toEqual(failed);
});
