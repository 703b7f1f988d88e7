// The identifiers that companies and notes have, and those that none can have.
import { dataOf, grouped, identifierOf, type Reply, recordsIn } from '../../lib/index.ts';
import { ceiling } from '../shared/unknown.ts';

export type Kind = 'company' | 'note';

/** The identifiers of one kind that replies showed. */
export class Numbers {
  private readonly kind: Kind;
  private readonly seen = new Set<number>();
  /** The highest so far, in the order of the replies. */
  private readonly highest: (readonly [reply: number, number: number])[] = [];
  private readonly isScattered: boolean;

  constructor(kind: Kind, accepted: readonly Reply[]) {
    this.kind = kind;
    const shown = accepted.filter((reply) => isOf(kind, reply));
    this.isScattered = isAnyLower(kind, shown);
    let most = 0;
    for (const reply of shown) {
      const numbers = recordsIn(reply).map((record) => Number(identifierOf(kind, record)));
      for (const number of numbers.filter(Number.isInteger)) {
        this.seen.add(number);
        if (number > most) this.highest.push([reply.id, number]);
        most = Math.max(most, number);
      }
    }
  }

  /**
   * No reply showed the number, and the target can read it. Since others create companies, too, those must be above all
   * shown before, unless numbers are random.
   */
  isUnseen(number: number, asked: Reply): boolean {
    const [, most = 0] = this.highest.findLast(([reply]) => reply < asked.id) ?? [];
    const isFree = this.kind === 'note' || this.isScattered || number > most;
    const bound = most < ceiling ? ceiling : Number.MAX_SAFE_INTEGER;
    return isFree && number > 0 && !this.seen.has(number) && number < bound;
  }
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
