// A gateway that lets so many requests a second through, whoever sends them: it slows a run down and accuses nobody.
import { expect, test } from 'vitest';
import type { Handler } from '../../lib/client/transports/handler.ts';
import type { WireReply } from '../../lib/client/transports/transport.ts';
import type { VirtualClock } from '../../lib/runtime/virtual-clock.ts';
import { documented } from '../bench/minutes.ts';
import { examine } from '../examine.ts';
import { limiterEnvelope, limiterPage, nginx } from './kinds.ts';

/** As a bucket of two seconds' requests, and 20 ms for each reply. */
const limiting =
  (aSecond: number, refusal: (number: number) => WireReply) =>
  (honest: Handler, clock: VirtualClock): Handler => {
    let level = 0;
    let at = clock.now();
    let refused = 0;
    return async (request) => {
      await clock.inside.sleep(20);
      level = Math.max(0, level - ((clock.now() - at) / 1000) * aSecond) + 1;
      at = clock.now();
      if (level <= 2 * aSecond) return honest(request);
      level -= 1;
      refused += 1;
      const { status, headers, body } = refusal(refused);
      return new Response(body, { status, headers });
    };
  };

const tiers = { starter: documented, standard: documented, business: documented };

test.each([
  ['429 as a page', 10, false, limiterPage],
  ['503 as a page', 10, false, () => nginx(503)],
  ['429 in the envelope', 10, false, limiterEnvelope],
  ['429 as a page, limits exceeded', 20, true, limiterPage],
] as const)('%s: %i requests a second', { timeout: 120_000 }, async (_, aSecond, exhaustion, refusal) => {
  const settings = { effort: 'quick', exhaustion } as const;
  const { report } = await examine({ reference: { tiers }, settings, wrap: limiting(aSecond, refusal) });
  expect(report.verdict).toBe('conformant');
  // At full speed it takes 66 s, or 125 s where limits are exceeded; bursts that meet the gateway are repeated.
  expect(report.run.duration_ms).toBeLessThan(exhaustion ? 600_000 : 300_000);
});
