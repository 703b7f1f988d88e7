// Who sees a company that a run made: its maker, by whichever credential has read it under the name that it was made with.
import { at, dataOf, type Reply, wasAccepted } from '../client/reply.ts';
import type { Callers } from './callers.ts';
import { bodyOf, companyPathOf, pathOf } from './request.ts';
import { createdIn } from './writes.ts';

/** Shorter names of companies are given more than once. */
const nameMin = 12;

/** Whichever way an account was chosen, what comes under a name that nobody else gives is the same company. */
export class Visibility {
  private readonly callers: Callers;
  /** Companies, by their paths: the replies to their creation. */
  private readonly creations = new Map<string, Reply>();
  /** Views, each with the path of a company. */
  private readonly seen = new Set<string>();

  constructor(replies: readonly Reply[], callers: Callers) {
    this.callers = callers;
    for (const reply of replies.filter(wasAccepted)) this.learn(reply);
  }

  /** Whether the reply addresses a company, or something of it, as somebody who was shown it. */
  of(reply: Reply): boolean {
    const view = this.callers.viewOf(reply);
    return view !== undefined && this.seen.has(`${view} ${companyPathOf(reply)}`);
  }

  private learn(reply: Reply): void {
    const { operation } = reply;
    const view = this.callers.viewOf(reply);
    const id = createdIn(reply);
    if (operation === 'POST /companies' && id !== undefined) {
      const path = `${pathOf(reply)}/${id}`;
      if (!this.creations.has(path)) this.creations.set(path, reply);
      this.seen.add(`${view} ${path}`);
    }
    const name = at(dataOf(reply), 'name');
    if (operation !== 'GET /companies/{company_id}' || typeof name !== 'string' || name.length < nameMin) return;
    const created = this.creations.get(pathOf(reply));
    const isOwn = created && this.callers.ownerOf(created.credential) === this.callers.ownerOf(reply.credential);
    if (isOwn && bodyOf(created)?.name === name) this.seen.add(`${view} ${pathOf(reply)}`);
  }
}
