// Companies of several accounts with one number: accounts may number their companies independently.
import { type Reply, wasAccepted } from '../client/reply.ts';
import { grouped } from '../runtime/grouped.ts';
import type { Callers } from './callers.ts';
import { bodyOf, companyPathOf, pathOf } from './request.ts';
import { createdIn } from './writes.ts';

/** Of the companies with one number, that of the view that used the number most counts; none where one view created two. */
export class SharedNumbers {
  /** By the path of a company that several creations returned. */
  private readonly views = new Map<string, string | undefined>();
  private readonly callers: Callers;

  constructor(replies: readonly Reply[], callers: Callers) {
    this.callers = callers;
    for (const [path, group] of grouped(replies, companyOf)) {
      const creations = group.filter(isCreation).filter(isNoRepeat);
      if (creations.length < 2) continue;
      const views = creations.map(callers.viewOf);
      const uses = (view: string | undefined): number => group.filter((one) => callers.viewOf(one) === view).length;
      const [most] = views.toSorted((one, other) => uses(other) - uses(one));
      this.views.set(path, new Set(views).size < views.length ? undefined : most);
    }
  }

  /** Whether the request is about the company that counts, or about one whose number no other has. */
  isMeant(reply: Reply, path = companyOf(reply)): boolean {
    if (!this.views.has(path)) return true;
    const meant = this.views.get(path);
    // Both creations of one view remain: another requirement judges that their identifiers differ.
    return meant === undefined ? isCreation(reply) : this.callers.viewOf(reply) === meant;
  }
}

const nameOf = (reply: Reply): unknown => bodyOf(reply)?.name;
const isNoRepeat = (one: Reply, place: number, all: readonly Reply[]): boolean =>
  !one.mayReplay || !all.slice(0, place).some((former) => nameOf(former) === nameOf(one));
const isCreation = (reply: Reply): boolean => reply.operation === 'POST /companies' && wasAccepted(reply);
const companyOf = (reply: Reply): string =>
  isCreation(reply) ? `${pathOf(reply)}/${createdIn(reply)}` : companyPathOf(reply);
