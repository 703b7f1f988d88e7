// How long the replies of a run took, per operation.
import type { Reply } from '../client/reply.ts';
import type { Latency } from '../result.ts';

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export function latencyOf(replies: readonly Reply[]): Latency[] {
  const durations = new Map<string, number[]>();
  for (const { operation, sentAt, receivedAt } of replies) {
    if (operation === undefined) continue;
    const known = durations.get(operation) ?? [];
    known.push(receivedAt - sentAt);
    durations.set(operation, known);
  }
  return [...durations].map(([operation, unsorted]) => {
    const sorted = unsorted.sort((one, other) => one - other);
    return {
      operation,
      count: sorted.length,
      median_ms: quantile(sorted, 0.5),
      p95_ms: quantile(sorted, 0.95),
      max_ms: sorted.at(-1) ?? 0,
    };
  });
}
