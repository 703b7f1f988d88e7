// How long the replies of a run took, per operation.
import type { Reply } from '../client/reply.ts';
import type { Latency } from '../result.ts';
import { grouped } from '../runtime/grouped.ts';

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export function latencyOf(replies: readonly Reply[]): Latency[] {
  const known = replies.filter((reply) => reply.operation !== undefined);
  return [...grouped(known, ({ operation = '' }) => operation)].map(([operation, some]) => {
    const sorted = some.map(({ sentAt, receivedAt }) => receivedAt - sentAt).sort((one, other) => one - other);
    return {
      operation,
      count: sorted.length,
      median_ms: quantile(sorted, 0.5),
      p95_ms: quantile(sorted, 0.95),
      max_ms: sorted.at(-1) ?? 0,
    };
  });
}
