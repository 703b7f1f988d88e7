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

  /**
   * What the request names had been made in a company that its sender sees, and nobody else had deleted it. A deletion that
   * was refused may have deleted it all the same, which is a requirement of its own: so what is not found counts as gone.
   */
  wasThere(reply: Reply): boolean {
    const born = this.births.get(pathOf(reply));
    if (born === undefined || !recognisedIn(this.replies).by(reply) || born.id > reply.after) return false;
    // Under another company, too: what that has left is a requirement of its own.
    const name = nameIn(reply);
    const before = this.deletions.filter((one) => one !== reply && one.after < reply.id && nameIn(one) === name);
    return !before.some((one) => reply.status === 404 || one.status < 400 || one.status >= 500);
  }
}

const nameIn = (reply: Reply): string | undefined => pathOf(reply).split('/').at(-1);

export const madeIn = computedOnce((replies: readonly Reply[]) => new Made(replies));
