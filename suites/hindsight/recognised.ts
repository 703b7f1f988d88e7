// Who sees a company that a run made: its maker, by whichever credential has read it under the name that it was made with.
import { at, computedOnce, dataOf, identifierOf, type Reply, wasAccepted } from '../../lib/index.ts';
import { familiesOf } from './families.ts';
import { pathOf, sentBody } from './sent.ts';
import { viewersOf } from './viewers.ts';

/** Shorter names are given more than once. */
const nameMin = 12;

/** Whichever way an account was chosen, what comes under a name that nobody else gives is the same company. */
class Recognised {
  private readonly replies: readonly Reply[];
  /** By their paths. */
  private readonly births = new Map<string, Reply>();
  private readonly seen = new Set<string>();

  constructor(replies: readonly Reply[]) {
    this.replies = replies;
    for (const reply of replies.filter(wasAccepted)) {
      const { operation } = reply;
      if (operation === 'POST /companies') this.make(reply);
      const name = at(dataOf(reply), 'name');
      if (operation !== 'GET /companies/{company_id}' || typeof name !== 'string' || name.length < nameMin) continue;
      const born = this.births.get(pathOf(reply));
      if (born && name === sentBody(born)?.name && this.rootOf(born) === this.rootOf(reply))
        this.see(reply, pathOf(reply));
    }
  }

  private rootOf({ credential }: Reply): string {
    return familiesOf(this.replies).rootOf(credential);
  }

  private see(reply: Reply, company: string): void {
    this.seen.add(`${viewersOf(this.replies).of(reply)} ${company}`);
  }

  /** Whether it addresses this company, or something of it, as somebody who sees it. */
  by(reply: Reply): boolean {
    const [company = ''] = /^.*\/companies\/[^/]+/.exec(pathOf(reply)) ?? [];
    const viewer = viewersOf(this.replies).of(reply);
    return viewer !== undefined && this.seen.has(`${viewer} ${company}`);
  }

  private make(reply: Reply): void {
    const path = `${pathOf(reply)}/${identifierOf('company', dataOf(reply))}`;
    if (!this.births.has(path)) this.births.set(path, reply);
    this.see(reply, path);
  }
}

export const recognisedIn = computedOnce((replies: readonly Reply[]) => new Recognised(replies));
