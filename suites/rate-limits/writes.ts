// Spent writes of an account: refused writes have no effect.
import {
  type Api,
  type Call,
  type Company,
  createNote,
  deleteNote,
  type Fixtures,
  idempotencyKeyOf,
  type JsonObject,
  type Note,
  type OperationId,
  type Random,
  type Reply,
  type Tools,
  usualText,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { fullRecord } from '../shared/company-record.ts';
import { wholeText } from '../shared/tricky-texts.ts';
import { unknownIds } from '../shared/unknown.ts';
import { isRefused, type Send } from './burst.ts';
import { accepting, besides } from './reads.ts';

interface Deletion {
  readonly operation: OperationId;
  readonly call: Call;
  /** True also where the reply was lost. */
  accepted: boolean;
}

const deletion = (operation: OperationId, call: Call): Deletion => ({ operation, call, accepted: false });

interface Records {
  readonly company: Company;
  /** Edited by every write of a burst. */
  readonly note: Note;
  /** Targets of deletions. */
  readonly targets: Fixtures['exhaustibleTargets'];
}

/** The company with its name and type, and the text as its address. */
const record = ({ sent }: Company, text: string, random: Random): JsonObject => ({
  ...fullRecord(text, random.pick(['first', 'second'])),
  ...{ name: sent.name, company_type: sent.company_type },
  ...{ address: text, city: wholeText(random) },
});

export const editCompany = (api: Api, company: Company, text: string, random: Random): Promise<Reply> =>
  api.send('PATCH /companies/{company_id}', {
    path: { company_id: company.id },
    body: record(company, text, random),
    throttle: 'accept',
  });

export const editNote = (api: Api, company: Company, note: Note, text: string, random: Random): Promise<Reply> =>
  api.send('PATCH /companies/{company_id}/notes/{note_id}', {
    path: { company_id: company.id, note_id: note.id },
    body: { text: `${text} - ${usualText(random)}` },
    throttle: 'accept',
  });

/** Invalid note texts. */
const noTexts: readonly [unknown, ...unknown[]] = ['', ' ', '\t', ' \n ', null, 42, undefined];

/** Writes that change nothing. With `note`, the edit names an existing note. */
export function idleWrites(
  api: Api,
  company: number,
  random: Tools['random'],
  { slug, note }: { readonly slug?: string | undefined; readonly note?: Note | undefined },
): readonly Send[] {
  const [unknown] = unknownIds(random, [company]);
  const path = { company_id: company, note_id: unknown };
  const text = () => ({ body: { text: random.pick(noTexts) } });
  return [
    accepting(api, 'PATCH /me/active-account', { body: { slug: slug ?? `covenant-${unknown}` } }),
    accepting(api, 'POST /api-keys', { body: {} }),
    accepting(api, 'POST /companies', { body: {} }),
    accepting(api, 'PATCH /companies/{company_id}', {
      path: { company_id: unknown },
      body: { company_type: 'lender' },
    }),
    accepting(api, 'POST /contacts', { body: {} }),
    accepting(api, 'POST /companies/{company_id}/notes', { path, ...text() }),
    accepting(api, 'PATCH /companies/{company_id}/notes/{note_id}', {
      path: { ...path, note_id: note?.id ?? unknown },
      ...text(),
    }),
    accepting(api, 'DELETE /companies/{company_id}/notes/{note_id}', { path }),
  ];
}

/** Keeps the Idempotency-Key while refused. Once accepted or lost it takes a new one: a replay need not count. */
export function underOneKey(api: Api, random: Tools['random'], operation: OperationId, call: Call): Send {
  let refused: string | undefined;
  return async () => {
    const key = refused ?? random.uuid();
    refused = undefined;
    const reply = await api.send(operation, { ...call, key, throttle: 'accept' });
    if (isRefused(reply)) refused = key;
    return reply;
  };
}

/** The records of the exhausted account, and all writes to them. */
export class Writer {
  readonly written: Reply[] = [];
  /** Revoke a key, and delete a note, where there are any. */
  private readonly deletions: readonly Send[];
  readonly records: Records;
  /** A creation that is repeated as the same request after each refusal. */
  readonly retried: Send;
  private carriedOut: Reply | undefined;
  private turn = 0;
  private readonly api: Api;
  private readonly make: Tools['make'];
  private readonly random: Tools['random'];

  constructor(api: Api, { make, random }: Pick<Tools, 'make' | 'random'>, records: Records) {
    this.api = api;
    this.make = make;
    this.random = random;
    this.records = records;
    const path = { company_id: records.company.id };
    const { keys, notes } = records.targets;
    const revocations = keys.map(({ id }) => deletion('DELETE /api-keys/{key_id}', { path: { key_id: id } }));
    const deletions = notes.map(({ id }) => deletion(deleteNote, { path: { ...path, note_id: id } }));
    this.deletions = [revocations, deletions].flatMap((all) => (all.length > 0 ? this.takingAway(all) : []));
    const body = { text: make.name('write that was refused at first') };
    const send = underOneKey(api, random, createNote, { path, body });
    this.retried = async () => {
      const reply = await send();
      if (wasAccepted(reply)) this.carriedOut = reply;
      return reply;
    };
  }

  /** Repeats that creation after its acceptance; undefined where it was never accepted. */
  async repeated(): Promise<Reply | undefined> {
    const key = this.carriedOut && idempotencyKeyOf(this.carriedOut);
    if (key === undefined) return undefined;
    const path = { company_id: this.records.company.id };
    return this.api.send(createNote, { path, text: this.carriedOut?.request.body ?? '', key });
  }

  /** Edits the note, each time to another text. */
  readonly edit: Send = async () => {
    const { company, note } = this.records;
    const text = this.make.name('write of a burst');
    const reply = await editNote(this.api, company, note, text, this.random);
    this.written.push(reply);
    return reply;
  };

  /** Creates another note each time. */
  get create(): Send {
    return this.writing(createNote, (text) => ({ text }), { path: { company_id: this.records.company.id } });
  }

  /** The next burst varies its writes again. */
  begin(): void {
    this.turn = 0;
  }

  /**
   * Edits, with one note creation, one note deletion and one key revocation among the first `most` requests. After one
   * is refused with another status than 429, which need not be counted, only edits follow.
   */
  varied(most: number): Send {
    const rare = [...this.deletions, this.create];
    const places = this.random.shuffled(Array.from({ length: most }, (_, place) => place));
    let isPlain = false;
    return async () => {
      const send = isPlain ? undefined : rare[places.indexOf(this.turn++)];
      const reply = await (send ?? this.edit)();
      isPlain ||= send !== undefined && !wasAccepted(reply) && !isRefused(reply);
      return reply;
    };
  }

  /** Each write operation, valid, once plain and once with a harmless header; deletions delete. */
  looks(): readonly Send[] {
    const beside = (): Call =>
      this.random.int(0, 1) === 0 ? { key: this.random.uuid() } : besides(this.random, this.records.targets.slug);
    return [...this.each(() => ({}), 'lender'), ...this.each(beside, 'sponsor'), ...this.deletions];
  }

  idle(): readonly Send[] {
    const { company, targets } = this.records;
    return idleWrites(this.api, company.id, this.random, { slug: targets.slug });
  }

  private each(call: () => Call, kind: 'lender' | 'sponsor'): Send[] {
    const { company, note, targets } = this.records;
    const path = { company_id: company.id };
    const [unknown] = unknownIds(this.random, [company.id, note.id]);
    const contact = { contact_type: kind === 'lender' ? 'lender_contact' : kind, company_id: company.id };
    const there = { slug: targets.slug ?? `covenant-${unknown}` };
    const onNote = { ...path, note_id: note.id };
    return [
      this.switching({ ...call(), body: there }),
      this.writing('POST /api-keys', (label) => ({ label }), call()),
      this.writing('POST /companies', (name) => ({ name, company_type: kind }), call()),
      this.writing('PATCH /companies/{company_id}', (name) => ({ ...company.sent, name }), { ...call(), path }),
      this.writing(createNote, (text) => ({ text }), { ...call(), path }),
      this.writing('PATCH /companies/{company_id}/notes/{note_id}', (text) => ({ text }), { ...call(), path: onNote }),
      this.writing('POST /contacts', (last_name) => ({ ...contact, last_name }), call()),
    ];
  }

  /** Each deletion names the first record that no earlier one reached. */
  private takingAway(deletions: readonly Deletion[]): Send {
    return async () => {
      const next = deletions.find(({ accepted }) => !accepted) ?? deletions[0];
      if (next === undefined) return this.edit();
      const sent = this.api.send(next.operation, { ...next.call, throttle: 'accept' });
      const reply = await sent.catch((error: unknown) => {
        // It may have been executed.
        next.accepted = true;
        throw error;
      });
      next.accepted ||= !isRefused(reply);
      return reply;
    };
  }

  private switching(call: Call): Send {
    const operation = 'PATCH /me/active-account';
    return call.key === undefined
      ? accepting(this.api, operation, call)
      : underOneKey(this.api, this.random, operation, call);
  }

  private writing(operation: OperationId, body: (text: string) => JsonObject, call: Call = {}): Send {
    return async () => {
      const text = this.make.name('write of a burst');
      const key = call.key === undefined ? {} : { key: this.random.uuid() };
      const reply = await this.api.send(operation, { ...call, ...key, body: body(text), throttle: 'accept' });
      this.written.push(reply);
      // If a key is created after all, its secret is kept out of reports.
      if (operation === 'POST /api-keys' && wasAccepted(reply)) this.make.credential(this.api.credential, reply);
      return reply;
    };
  }
}
