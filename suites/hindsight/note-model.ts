// Which notes the run's own companies have at any time: nobody else writes there.
import { dataOf, identifierOf, isObject, lagMsMax, type Reply, type Story, wasAccepted } from '../../lib/index.ts';
import { createNote, deleteNote } from './note-operations.ts';
import type { Page } from './pages.ts';
import { pathOf, sentBody } from './sent.ts';
import type { Viewers } from './viewers.ts';

interface Lifetime {
  readonly born: Reply;
  died?: Reply;
}

export interface Home {
  readonly viewer: string;
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

  constructor({ replies, lost }: Story, viewers: Viewers) {
    for (const reply of replies) {
      const { operation } = reply;
      if (operation === 'POST /companies') this.found(reply, viewers);
      if (operation === createNote) this.bear(reply, viewers);
      if (operation === deleteNote) this.bury(reply, viewers);
    }
    for (const { method, url } of lost) {
      const home = method === 'GET' ? undefined : this.homes.get(listOf(new URL(url).pathname));
      if (home) home.unclearFrom = 0;
    }
  }

  /** The company whose notes a page shows to the user who made it. */
  homeOf({ path, viewer, kind }: Page): Home | undefined {
    const home = kind === 'note' ? this.homes.get(path) : undefined;
    return home?.viewer === viewer ? home : undefined;
  }

  /** What was there from the beginning of a traversal to its end, with what a list may lag behind. */
  expected({ notes }: Home, chain: readonly Page[]): Expected {
    const first = chain[0]?.reply;
    const last = chain.at(-1)?.reply;
    const must = new Set<string>();
    const may = new Set<string>();
    if (first === undefined || last === undefined) return { must, may };
    const isOver = ({ receivedAt }: Reply): boolean => receivedAt < first.sentAt - lagMsMax;
    for (const [id, { born, died }] of notes) {
      if (born.after >= last.id || (died && isOver(died))) continue;
      const isSure = isOver(born) && (died === undefined || died.after >= last.id);
      (isSure ? must : may).add(id);
    }
    return { must, may };
  }

  private found(reply: Reply, viewers: Viewers): void {
    const id = identifierOf('company', dataOf(reply));
    const viewer = viewers.of(reply);
    if (!wasAccepted(reply) || id === undefined || viewer === undefined || !isObject(dataOf(reply))) return;
    const path = `${pathOf(reply)}/${id}/notes`;
    // Repeated under its Idempotency-Key it is the same company.
    if (this.homes.has(path)) return;
    this.homes.set(path, {
      viewer,
      notes: new Map(),
      unclearFrom: Number.POSITIVE_INFINITY,
      creations: [],
      refused: [],
    });
  }

  private bear(reply: Reply, viewers: Viewers): void {
    const home = this.homes.get(pathOf(reply));
    if (home && [400, 403, 404, 413, 415, 422].includes(reply.status)) home.refused.push(reply);
    if (home === undefined || !isDecided(home, reply, viewers) || reply.status >= 500) return;
    home.creations.push(reply);
    if (!wasAccepted(reply)) return;
    const id = identifierOf('note', dataOf(reply));
    if (!Number.isInteger(id)) home.unclearFrom = Math.min(home.unclearFrom, reply.after);
    else if (!home.notes.has(String(id))) home.notes.set(String(id), { born: reply });
  }

  private bury(reply: Reply, viewers: Viewers): void {
    const path = pathOf(reply);
    const home = this.homes.get(listOf(path));
    if (home === undefined || !isDecided(home, reply, viewers)) return;
    const note = home.notes.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
    if (note && wasAccepted(reply)) note.died ??= reply;
  }
}

/** The list that a note stands in, or the list itself. */
const listOf = (path: string): string => path.replace(/\/notes\/[^/]*$/, '/notes');

/** Whether it is known what became of a write; somebody else may number companies in another way. */
function isDecided(home: Home, reply: Reply, viewers: Viewers): boolean {
  const isOwn = viewers.of(reply) === home.viewer;
  if (reply.status >= 500 || (wasAccepted(reply) && !isOwn)) home.unclearFrom = Math.min(home.unclearFrom, reply.after);
  return isOwn;
}
