// The identifiers that companies and notes have, and those that none can have.
import { dataOf, grouped, identifierOf, type Reply, recordsIn } from '../../lib/index.ts';
import { ceiling } from '../shared/unknown.ts';

type Kind = 'company' | 'note';

/**
 * Whether no reply showed a number of this kind, and the target can read it. Since others create companies, too, those
 * must be above all shown before, unless numbers are random.
 */
export function unseenBy(kind: Kind, accepted: readonly Reply[]): (number: number, asked: Reply) => boolean {
  const shown = accepted.filter((reply) => isOf(kind, reply));
  const isScattered = isAnyLower(kind, shown);
  const seen = new Set<number>();
  /** The highest so far, in the order of the replies. */
  const highest: (readonly [reply: number, number: number])[] = [];
  let most = 0;
  for (const reply of shown)
    for (const number of recordsIn(reply).map((record) => Number(identifierOf(kind, record)))) {
      if (!Number.isInteger(number)) continue;
      seen.add(number);
      if (number > most) highest.push([reply.id, number]);
      most = Math.max(most, number);
    }
  return (number, asked) => {
    const [, most = 0] = highest.findLast(([reply]) => reply < asked.id) ?? [];
    const isFree = kind === 'note' || isScattered || number > most;
    const bound = most < ceiling ? ceiling : Number.MAX_SAFE_INTEGER;
    return isFree && number > 0 && !seen.has(number) && number < bound;
  };
}

/** The reply to an edit may only repeat the number in its path. */
const isOf = (kind: Kind, { operation }: Reply): boolean =>
  operation?.includes('/companies') === true &&
  operation.includes('/notes') === (kind === 'note') &&
  !operation.startsWith('PATCH');

/** Numbers are random if, of two successive records of one caller, the later has the lower number. */
function isAnyLower(kind: Kind, shown: readonly Reply[]): boolean {
  const made = shown.filter(({ operation }) => operation?.startsWith('POST'));
  const idOf = (reply: Reply): number => Number(identifierOf(kind, dataOf(reply)));
  return [...grouped(made, ({ credential }) => credential).values()].some((own) =>
    own.some((one, index) => own.slice(index + 1).some((later) => later.after >= one.id && idOf(later) < idOf(one))),
  );
}
