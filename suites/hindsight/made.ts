// The companies and notes that a run made, by the paths of the requests that name them.
import { computedOnce, dataOf, identifierOf, type Reply, wasAccepted } from '../../lib/index.ts';
import { createNote, deleteNote } from '../shared/note-operations.ts';
import { recognisedIn } from './recognised.ts';
import { pathOf } from './sent.ts';

class Made {
  private readonly replies: readonly Reply[];
  /** Companies by the list of their notes. */
  private readonly births = new Map<string, Reply>();
  private readonly deletions: readonly Reply[];

  constructor(replies: readonly Reply[]) {
    this.replies = replies;
    // Nobody who is not let in deletes anything.
    this.deletions = replies.filter(({ operation, status }) => operation === deleteNote && status !== 401);
    for (const reply of replies) {
      const { operation } = reply;
      const kind = operation === 'POST /companies' ? 'company' : operation === createNote ? 'note' : undefined;
      const id = kind && wasAccepted(reply) ? identifierOf(kind, dataOf(reply)) : undefined;
      if (id !== undefined) this.births.set(`${pathOf(reply)}/${id}${kind === 'company' ? '/notes' : ''}`, reply);
    }
  }

  /** What the request names had been made in a company that its sender sees, and nobody else had asked for its deletion. */
  wasThere(reply: Reply): boolean {
    const born = this.births.get(pathOf(reply));
    if (born === undefined || !recognisedIn(this.replies).by(reply) || born.id > reply.after) return false;
    // Under another company, too: what that has left is a requirement of its own.
    const name = nameIn(reply);
    return !this.deletions.some((one) => one !== reply && one.after < reply.id && nameIn(one) === name);
  }
}

const nameIn = (reply: Reply): string | undefined => pathOf(reply).split('/').at(-1);

export const madeIn = computedOnce((replies: readonly Reply[]) => new Made(replies));
