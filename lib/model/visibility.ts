// Which views see a company of the run: its creator's, and those of the same owner that read it under its name.
import { at, dataOf, type Reply, wasAccepted } from '../client/reply.ts';
import type { Callers } from './callers.ts';
import { bodyOf, companyPathOf, pathOf } from './request.ts';
import { createdIn } from './writes.ts';

/** Shorter names may be used for several companies. */
const nameMin = 12;

/** Companies are matched by their unique names, so that it does not matter how the account was chosen. */
export class Visibility {
  private readonly callers: Callers;
  /** The reply to the creation of each company, by its path. */
  private readonly creations = new Map<string, Reply>();
  /** Pairs of a view and a company path. */
  private readonly seen = new Set<string>();

  constructor(replies: readonly Reply[], callers: Callers) {
    this.callers = callers;
    for (const reply of replies.filter(wasAccepted)) this.learn(reply);
  }

  /** Whether the request addresses a company, or its notes, from a view that was shown it; or another company. */
  of(reply: Reply, path = companyPathOf(reply)): boolean {
    const view = this.callers.viewOf(reply);
    return view !== undefined && this.seen.has(`${view} ${path}`);
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
