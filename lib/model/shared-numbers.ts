// Companies of several accounts with one number: accounts may number their companies independently.
import { type Reply, wasAccepted } from '../client/reply.ts';
import { grouped } from '../runtime/grouped.ts';
import type { Accounts } from './accounts.ts';
import type { Callers } from './callers.ts';
import { bodyOf, companyPathOf, pathOf } from './request.ts';
import { createdIn } from './writes.ts';

/**
 * Of the companies with one number, that of the account that used the number most counts; none where one account created
 * two, or where a write to one came from an unknown account.
 */
export class SharedNumbers {
  /** By the path of a company that several creations returned. */
  private readonly places = new Map<string, string | undefined>();
  private readonly callers: Callers;
  private readonly accounts: Accounts;

  constructor(replies: readonly Reply[], callers: Callers, accounts: Accounts) {
    this.callers = callers;
    this.accounts = accounts;
    for (const [path, group] of grouped(replies, companyOf)) {
      const creations = group.filter(isCreation).filter(isNoRepeat);
      if (creations.length < 2) continue;
      const places = creations.map(this.placeOf);
      const uses = (place: string | undefined): number => group.filter((one) => this.placeOf(one) === place).length;
      const [most] = places.toSorted((one, other) => uses(other) - uses(one));
      const isOfUnknownAccount = (one: Reply): boolean =>
        accounts.of(one) === undefined && !places.includes(this.placeOf(one));
      const isUnclear = group.some(
        (one) => one.request.method !== 'GET' && wasAccepted(one) && isOfUnknownAccount(one),
      );
      this.places.set(path, isUnclear || new Set(places).size < places.length ? undefined : most);
    }
  }

  /** Whether the request is about the company that counts, or about one whose number no other has. */
  isMeant(reply: Reply, path = companyOf(reply)): boolean {
    if (!this.places.has(path)) return true;
    const meant = this.places.get(path);
    // Both creations of one account remain: another requirement judges that their identifiers differ.
    return meant === undefined ? isCreation(reply) : this.placeOf(reply) === meant;
  }

  private readonly placeOf = (reply: Reply): string | undefined =>
    this.accounts.of(reply) ?? this.callers.viewOf(reply);
}

const nameOf = (reply: Reply): unknown => bodyOf(reply)?.name;
const isNoRepeat = (one: Reply, place: number, all: readonly Reply[]): boolean =>
  !one.mayReplay || !all.slice(0, place).some((former) => nameOf(former) === nameOf(one));
const isCreation = (reply: Reply): boolean => reply.operation === 'POST /companies' && wasAccepted(reply);
const companyOf = (reply: Reply): string =>
  isCreation(reply) ? `${pathOf(reply)}/${createdIn(reply)}` : companyPathOf(reply);
