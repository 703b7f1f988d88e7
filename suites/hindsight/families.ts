// Which credentials are one user on one account: a configured key and all keys that come of it.
import { dataOf, identifierOf, oncePer, type Reply, wasAccepted } from '../../lib/index.ts';

/** The configured credential behind each that the run made, by name. */
export class Families {
  private readonly parents = new Map<string, string>();

  constructor(replies: readonly Reply[]) {
    for (const reply of replies) {
      const id = reply.operation === 'POST /api-keys' && wasAccepted(reply) && identifierOf('key', dataOf(reply));
      if (id !== false && id !== undefined) this.parents.set(`MADE_KEY_${id}`, reply.credential);
    }
  }

  rootOf(credential: string): string {
    let root = credential;
    for (let parent = this.parents.get(root); parent !== undefined && parent !== root; parent = this.parents.get(root))
      root = parent;
    return root;
  }
}

export const familiesOf = oncePer((replies: readonly Reply[]) => new Families(replies));
