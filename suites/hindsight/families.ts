// Which credentials are one user on one account: a configured key and all keys that come of it.
import { at, computedOnce, dataOf, type Reply, wasAccepted } from '../../lib/index.ts';
import { tokenOf } from './sent.ts';

/** The configured credential behind each that the run made, by name. */
export class Families {
  private readonly parents = new Map<string, string>();

  constructor(replies: readonly Reply[]) {
    const makers = new Map<unknown, string>();
    for (const reply of replies) {
      if (reply.operation === 'POST /api-keys' && wasAccepted(reply))
        makers.set(at(dataOf(reply), 'api_key'), reply.credential);
      const maker = makers.get(tokenOf(reply) ?? '');
      if (maker !== undefined && /^MADE_KEY_/.test(reply.credential)) this.parents.set(reply.credential, maker);
    }
  }

  rootOf(credential: string): string {
    let root = credential;
    for (let parent = this.parents.get(root); parent !== undefined && parent !== root; parent = this.parents.get(root))
      root = parent;
    return root;
  }
}

export const familiesOf = computedOnce((replies: readonly Reply[]) => new Families(replies));
