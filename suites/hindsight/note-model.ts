// Which notes the run's own companies have at any time: nobody else writes there.
import {
  dataOf,
  identifierOf,
  isObject,
  type JsonObject,
  lagMsMax,
  type Reply,
  type Story,
  wasAccepted,
} from '../../lib/index.ts';
import { createNote, deleteNote } from '../shared/note-operations.ts';
import type { Page } from './pages.ts';
import { recognisedIn } from './recognised.ts';
import { pathOf, sentBody } from './sent.ts';

interface Lifetime {
  readonly born: Reply;
  died?: Reply;
  /** Its identifier was also in the path of another company: what that has left is a requirement of its own. */
  misplaced?: Reply;
  /** What refused deletions leave is one, too. */
  readonly denials: Reply[];
  /** By somebody who was not seen to see the company: it may be a note of another one of the same number. */
  readonly isDoubtful: boolean;
}

export interface Home {
  readonly notes: Map<string, Lifetime>;
  /** From this reply on it is not known which of them exist. */
  unclearFrom: number;
  /** Whether carried out or refused. */
  readonly creations: Reply[];
  /** By anybody, also with a body that is not JSON. */
  readonly refused: Reply[];
}

/** Notes that a traversal must show, and those that it may. */
export interface Expected {
  readonly must: ReadonlySet<string>;
  readonly may: ReadonlySet<string>;
}

export const textOf = (reply: Reply): unknown => sentBody(reply)?.text;

export class NoteModel {
  private readonly homes = new Map<string, Home>();
  private readonly recognised: ReturnType<typeof recognisedIn>;

  constructor({ replies, lost }: Story) {
    this.recognised = recognisedIn(replies);
    for (const reply of replies) {
      const { operation } = reply;
      if (operation === 'POST /companies') this.found(reply);
      if (operation === createNote) this.bear(reply);
      if (operation === deleteNote) this.bury(reply);
    }
    for (const { method, url } of lost) {
      const home = method === 'GET' ? undefined : this.homes.get(listOf(new URL(url).pathname));
      if (home) home.unclearFrom = 0;
    }
  }

  /** The company whose notes a page shows to somebody who sees it. */
  homeOf({ path, reply, kind }: Page): Home | undefined {
    return kind === 'note' && this.recognised.by(reply) ? this.homes.get(path) : undefined;
  }

  /** The creation of a note with this identifier and text in another company of the run. */
  elsewhere(home: Home, id: string, text: unknown): Reply | undefined {
    const others = [...this.homes.values()].filter((one) => one !== home);
    const same = others.map(({ notes }) => notes.get(id)).find((one) => one !== undefined && textOf(one.born) === text);
    return same?.isDoubtful ? undefined : same?.born;
  }

  /** What was there from the beginning of a traversal to its end, with what a list may lag behind. */
  expected({ notes }: Home, chain: readonly Page[]): Expected {
    const first = chain[0]?.reply;
    const last = chain.at(-1)?.reply;
    const must = new Set<string>();
    const may = new Set<string>();
    if (first === undefined || last === undefined) return { must, may };
    const isOver = ({ receivedAt }: Reply): boolean => receivedAt < first.sentAt - lagMsMax;
    for (const [id, { born, died, isDoubtful }] of notes) {
      if (born.after >= last.id || (died && isOver(died))) continue;
      // A repeated creation may be answered with another note than there is.
      const isSure = isOver(born) && !born.mayReplay && !isDoubtful && (died === undefined || died.after >= last.id);
      (isSure ? must : may).add(id);
    }
    return { must, may };
  }

  private found(reply: Reply): void {
    const id = identifierOf('company', dataOf(reply));
    if (!wasAccepted(reply) || id === undefined || !isObject(dataOf(reply))) return;
    const path = `${pathOf(reply)}/${id}/notes`;
    // Repeated under its Idempotency-Key it is the same company.
    if (this.homes.has(path)) return;
    this.homes.set(path, {
      notes: new Map(),
      unclearFrom: Number.POSITIVE_INFINITY,
      creations: [],
      refused: [],
    });
  }

  private bear(reply: Reply): void {
    const home = this.homes.get(pathOf(reply));
    if (home && [400, 403, 404, 413, 415, 422].includes(reply.status)) home.refused.push(reply);
    if (home === undefined) return;
    const id = identifierOf('note', dataOf(reply));
    if (reply.status >= 500 || (wasAccepted(reply) && !Number.isInteger(id)))
      home.unclearFrom = unclearSince(home, reply);
    if (reply.status >= 500) return;
    const isDoubtful = !this.recognised.by(reply);
    if (!isDoubtful) home.creations.push(reply);
    if (!wasAccepted(reply) || !Number.isInteger(id)) return;
    const known = home.notes.get(String(id));
    // A repetition shows what was there before it.
    if (known === undefined || (known.isDoubtful && !isDoubtful && !reply.mayReplay))
      home.notes.set(String(id), { born: reply, denials: [], isDoubtful });
  }

  private bury(reply: Reply): void {
    const path = pathOf(reply);
    const home = this.homes.get(listOf(path));
    for (const { notes } of [...this.homes.values()].filter((one) => one !== home)) {
      const same = notes.get(path.split('/').at(-1) ?? '');
      if (same && same.born.id <= reply.after) same.misplaced ??= reply;
    }
    const note = home?.notes.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
    if (note && !wasAccepted(reply)) note.denials.push(reply);
    if (home === undefined) return;
    const isOwn = this.recognised.by(reply);
    // Somebody else may number companies in another way.
    if (reply.status >= 500 || (wasAccepted(reply) && !isOwn && !note?.isDoubtful))
      home.unclearFrom = unclearSince(home, reply);
    if (note && isOwn && wasAccepted(reply)) note.died ??= reply;
  }
}

const unclearSince = ({ unclearFrom }: Home, { after }: Reply): number => Math.min(unclearFrom, after);

/** The list that a note stands in, or the list itself. */
const listOf = (path: string): string => path.replace(/\/notes\/[^/]*$/, '/notes');

/** The refused creation that must have left a note of no known text: the last before the list that has its text, or else the last. */
export function refusedFor({ refused, notes }: Home, { reply }: Page, { text }: JsonObject): Reply | undefined {
  const known = [...notes.values()].map(({ born }) => born);
  const before = refused.filter(({ id, mayReplay }) => id < reply.id && !mayReplay);
  if (typeof text === 'string' && known.some((one) => textOf(one) === text)) return undefined;
  const isCut = typeof text === 'string' && text !== '';
  const whole = isCut ? before.findLast(({ request }) => request.body?.includes(text)) : undefined;
  return whole ?? before.findLast((one) => sentBody(one) !== undefined && !/\S/.test(String(textOf(one) ?? '')));
}
