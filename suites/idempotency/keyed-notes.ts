// The notes of a company written under keys of the case's own choosing, and counted in the list.
import {
  type Api,
  at,
  dataOf,
  eventuallySeen,
  expectSuccess,
  expectThat,
  identifierOf,
  lagMsMax,
  NotTested,
  type Reply,
  type Tools,
  traverse,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';

export type NoteId = number | string | undefined;

export const noteOf = (reply: Reply): NoteId => identifierOf('note', dataOf(reply));

/** What the list shows: every note with its text. */
export class Snapshot {
  readonly replies: readonly Reply[];
  private readonly texts: ReadonlyMap<NoteId, unknown>;

  constructor(replies: readonly Reply[], texts: ReadonlyMap<NoteId, unknown>) {
    this.replies = replies;
    this.texts = texts;
  }

  has(id: NoteId): boolean {
    return this.texts.has(id);
  }

  textOf(id: NoteId): unknown {
    return this.texts.get(id);
  }

  /** How many notes carry the text. */
  count(text: string): number {
    return [...this.texts.values()].filter((one) => one === text).length;
  }
}

/** Pages may hold a single note. */
const pagesMax = 200;

export class KeyedNotes {
  private readonly api: Api;
  private readonly company: number;
  private readonly clock: Tools['clock'];
  private changedAt = -Infinity;
  private looks = 0;
  /** Whether the list showed a new note at once; if so it is taken at its word from then on. */
  private prompt = false;

  constructor(api: Api, company: number, clock: Tools['clock']) {
    this.api = api;
    this.company = company;
    this.clock = clock;
  }

  create(text: string, key?: string, undocumented = false): Promise<Reply> {
    const path = { company_id: this.company };
    return this.written(
      this.api.send('POST /companies/{company_id}/notes', {
        path,
        body: { text },
        key: key ?? null,
        ...(undocumented ? { undocumented } : {}),
      }),
    );
  }

  edit(note: NoteId, text: string, key: string, undocumented = false): Promise<Reply> {
    const path = { company_id: this.company, note_id: note ?? '' };
    return this.written(
      this.api.send('PATCH /companies/{company_id}/notes/{note_id}', {
        path,
        body: { text },
        key,
        ...(undocumented ? { undocumented } : {}),
      }),
    );
  }

  remove(note: NoteId, key?: string): Promise<Reply> {
    const path = { company_id: this.company, note_id: note ?? '' };
    return this.written(
      this.api.send('DELETE /companies/{company_id}/notes/{note_id}', { path, ...(key === undefined ? {} : { key }) }),
    );
  }

  /** A note to start from, seen in the list. */
  async start(text: string, key: string): Promise<Reply> {
    const reply = await this.create(text, key);
    expectSuccess(reply);
    const seen = await this.look((snapshot) => snapshot.has(noteOf(reply)));
    if (!seen.has(noteOf(reply))) throw new NotTested('a new note does not appear in the list');
    this.prompt = seen.replies[0] !== undefined && seen.replies[0].sentAt - reply.receivedAt < 500;
    return reply;
  }

  /** Looks until it is right, or until the list has had its five seconds. */
  look(right: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    return eventuallySeen(this.clock, this.changedAt, () => this.read(), right);
  }

  /** What the list shows when nothing more can appear in it, and all that makes it `right` has. */
  async final(right: (snapshot: Snapshot) => boolean = () => true): Promise<Snapshot> {
    if (!this.prompt) await this.clock.sleep(Math.max(0, this.changedAt + lagMsMax + 1 - this.clock.now()));
    const seen = await this.read();
    // A list that was prompt once may be an older one the next time.
    return right(seen) ? seen : this.look(right);
  }

  /** What it shows when it has had its time, several times over: a target may have more than one node, and the rules judge each. */
  async settled(looks: number): Promise<Snapshot> {
    await this.clock.sleep(Math.max(0, this.changedAt + lagMsMax + 1 - this.clock.now()));
    for (let look = 1; look < looks; look += 1) await this.read();
    return this.read();
  }

  private async read(): Promise<Snapshot> {
    this.looks += 1;
    const { replies, items } = await traverse(this.api, {
      operation: 'GET /companies/{company_id}/notes',
      path: { company_id: this.company },
      // As it comes, and on the largest pages.
      ...(this.looks % 2 === 0 ? {} : { limit: 200 }),
      mode: 'cursor',
      pagesMax,
    });
    return new Snapshot(replies, new Map(items.map((item) => [identifierOf('note', item), at(item, 'text')])));
  }

  private async written(request: Promise<Reply>): Promise<Reply> {
    const reply = await request;
    this.changedAt = this.clock.now();
    return reply;
  }
}

/** A repeated write is answered with the same note, or with 409. */
export function expectRepeated(repeat: Reply, note: NoteId): void {
  const same = wasAccepted(repeat) && noteOf(repeat) === note;
  expectThat(same || repeat.status === 409, 'a repeated write should be answered with the same note or with 409', {
    expected: `note ${String(note)}, or 409`,
    actual: wasAccepted(repeat) ? `note ${String(noteOf(repeat))}` : repeat.status,
    replies: repeat,
  });
}

export function expectAtMost(
  snapshot: Snapshot,
  text: string,
  most: number,
  what: string,
  replies: readonly Reply[],
): void {
  expectThat(snapshot.count(text) <= most, what, {
    expected: most === 0 ? 'no such note' : most === 1 ? 'one note' : `${most} notes`,
    actual: `${snapshot.count(text)} notes with the text "${text}"`,
    replies: [...replies, ...snapshot.replies],
  });
}

/** Each write was carried out by itself: a note of its own, and the list shows it. */
export function expectEach(snapshot: Snapshot, writes: readonly Reply[], what: string): void {
  for (const reply of writes) expectSuccess(reply);
  const ids = new Set(writes.map(noteOf));
  const listed = [...ids].filter((id) => snapshot.has(id));
  expectThat(listed.length === writes.length, what, {
    expected: `${writes.length} notes`,
    actual: ids.size < writes.length ? `${ids.size} notes` : `${listed.length} of them in the list`,
    replies: [...writes, ...snapshot.replies],
  });
}
