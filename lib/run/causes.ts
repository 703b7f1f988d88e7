// Why something was not tested, where the target itself is why: the failed requirement that stands before it.
import type { RequirementId } from '../catalogue/index.ts';
import { type Reply, wasAccepted } from '../client/reply.ts';
import type { Findings } from './findings.ts';

export class Causes {
  /** The replies that broke each failed requirement; of a MUST first, then in the order of the document. */
  private readonly broken: readonly (readonly [RequirementId, readonly Reply[]])[];

  /** `seen` has what the monitors found on each reply, of which findings keep a few. */
  constructor(findings: Findings, seen: ReadonlyMap<RequirementId, readonly Reply[]>) {
    const failed = [...findings.ids].flatMap((id): [RequirementId, readonly Reply[]][] => {
      const replies = findings.of(id).flatMap(({ difference }) => difference?.replies ?? []);
      const all = [...replies, ...(seen.get(id) ?? [])];
      return all.length === 0 || !findings.ids.has(id) ? [] : [[id, all]];
    });
    const isMust = ([id]: (typeof failed)[number]): boolean => findings.rows[id].level === 'must';
    this.broken = [...failed.filter(isMust), ...failed.filter((one) => !isMust(one))];
  }

  /** What those replies broke; or, where they are refusals, what an equal refusal of the operation broke. */
  behind(replies: readonly Reply[], self: RequirementId): RequirementId | undefined {
    const ids = new Set(replies.map(({ id }) => id));
    const isLike = (other: Reply): boolean =>
      replies.some((one) => !wasAccepted(one) && one.operation === other.operation && one.status === other.status);
    const others = this.broken.filter(([id]) => id !== self);
    const exact = others.find(([, shown]) => shown.some(({ id }) => ids.has(id)));
    return (exact ?? others.find(([, shown]) => shown.some(isLike)))?.[0];
  }
}
