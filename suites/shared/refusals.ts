// Creations that must be refused, tried one after the other under names of their own, and what must not stay of them.
import { expectThat, type JudgedId, type Reply, type Tools } from '../../lib/index.ts';

/** One defect of an otherwise valid creation. */
export interface Defect<Id extends JudgedId = JudgedId> {
  readonly id: Id;
  /** Laid over the valid body; a member that is undefined is left out. */
  readonly change: Readonly<Record<string, unknown>>;
  /** The statuses that refuse it: 400 and 422 unless given. */
  readonly statuses?: readonly number[];
}

export const defects = <Id extends JudgedId>(...rows: readonly Defect<Id>[]): readonly Defect<Id>[] => rows;

/** What is refused leaves nothing behind: a thorough run tries each twice. */
export const rounds = <T extends { readonly id: JudgedId }>(
  all: readonly T[],
  tools: Pick<Tools, 'effort' | 'random'>,
): readonly T[] => (tools.effort === 'thorough' ? [...all, ...tools.random.shuffled(all)] : taken(all, tools));

/** A quick run takes one of each requirement, drawn by its seed. */
export function taken<T extends { readonly id: JudgedId }>(
  all: readonly T[],
  { effort, random }: Pick<Tools, 'effort' | 'random'>,
): readonly T[] {
  if (effort !== 'quick') return all;
  return [...new Set(all.map(({ id }) => id))].map((id) => {
    const [first, ...more] = all.filter((one) => one.id === id);
    return random.pick([first as T, ...more]);
  });
}

export interface Tried<Id extends JudgedId = JudgedId> {
  readonly defect: Defect<Id>;
  /** The text by which the record is recognised, should it exist after all. */
  readonly mark: string;
  readonly reply: Reply;
}

/** One creation of each type, and each in another of the ways, in orders of the seed's; a quick run tries one. */
export async function tryTypes(
  types: readonly string[],
  { random, make, effort }: Pick<Tools, 'random' | 'make' | 'effort'>,
  ways: readonly ((mark: string, type: string) => Promise<Reply>)[],
): Promise<readonly Pick<Tried, 'mark' | 'reply'>[]> {
  const order = random.shuffled(ways).slice(0, effort === 'quick' ? 1 : undefined);
  const drawn = random.shuffled(types);
  const tried: Pick<Tried, 'mark' | 'reply'>[] = [];
  for (const [place, send] of order.entries()) {
    const mark = make.name('refused');
    tried.push({ mark, reply: await send(mark, drawn[place % drawn.length] ?? '') });
  }
  return tried;
}

/** Refused with whatever status of 4xx. */
export function expectClientError(reply: Reply, what: string): void {
  expectThat(reply.status >= 400 && reply.status < 500, `${what} should be refused with 4xx`, {
    expected: '4xx',
    actual: reply.status,
    replies: reply,
  });
}
