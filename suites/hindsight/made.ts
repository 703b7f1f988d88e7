// The companies and notes that a run made, by the paths of the requests that name them.
import { computedOnce, dataOf, identifierOf, type Reply, wasAccepted } from '../../lib/index.ts';
import { createNote, deleteNote } from './note-operations.ts';
import { pathOf } from './sent.ts';
import { viewersOf } from './viewers.ts';

class Made {
  private readonly replies: readonly Reply[];
  /** Companies by the list of their notes. */
  private readonly births = new Map<string, Reply>();
  private readonly deletions: readonly Reply[];

  constructor(replies: readonly Reply[]) {
    this.replies = replies;
    this.deletions = replies.filter(({ operation }) => operation === deleteNote);
    for (const reply of replies) {
      const { operation } = reply;
      const kind = operation === 'POST /companies' ? 'company' : operation === createNote ? 'note' : undefined;
      const id = kind && wasAccepted(reply) ? identifierOf(kind, dataOf(reply)) : undefined;
      if (id !== undefined) this.births.set(`${pathOf(reply)}/${id}${kind === 'company' ? '/notes' : ''}`, reply);
    }
  }

  /** The same user had made what the request names, and nobody else had asked for its deletion. */
  wasThere(reply: Reply): boolean {
    const born = this.births.get(pathOf(reply));
    const viewers = viewersOf(this.replies);
    const viewer = viewers.of(reply);
    if (born === undefined || viewer === undefined || viewers.of(born) !== viewer || born.id > reply.after)
      return false;
    return !this.deletions.some((one) => one !== reply && one.after < reply.id && pathOf(one) === pathOf(reply));
  }
}

export const madeIn = computedOnce((replies: readonly Reply[]) => new Made(replies));
