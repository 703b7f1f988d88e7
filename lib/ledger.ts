// What a run has made and not yet taken back, kept from the replies themselves so that nothing escapes it.
import type { Credential } from './credential.ts';
import type { OperationId } from './operations.ts';
import { at, dataOf, identifierOf, type RecordKind, type Reply } from './reply.ts';
import type { Residue } from './report/model.ts';

export interface Made {
  readonly kind: RecordKind;
  readonly id: string;
  readonly name: string;
  /** Only on notes: the company it is attached to. */
  readonly company?: string;
  /** Who made it: whoever takes it back. */
  readonly credential: Credential;
  readonly account?: string;
}

const creations: Partial<Record<OperationId, RecordKind>> = {
  'POST /companies': 'company',
  'POST /contacts': 'contact',
  'POST /companies/{company_id}/notes': 'note',
  'POST /api-keys': 'key',
};
const deletions: readonly (OperationId | undefined)[] = [
  'DELETE /api-keys/{key_id}',
  'DELETE /companies/{company_id}/notes/{note_id}',
];

const keyOf = (kind: RecordKind, id: string): string => `${kind} ${id}`;
const companyOf = (url: string): string | undefined => /\/companies\/([^/]+)\/notes/.exec(url)?.[1];
const nameIn = (record: unknown): string =>
  String(at(record, 'name') ?? at(record, 'label') ?? at(record, 'last_name') ?? at(record, 'text') ?? '').slice(0, 80);

export class Ledger {
  private readonly entries = new Map<string, Made>();

  /** Reads from a reply whether something was made or is gone. */
  note(reply: Reply, credential: Credential): void {
    if (reply.operation === undefined) return;
    const kind = creations[reply.operation];
    if (kind !== undefined && reply.status >= 200 && reply.status < 300) this.add(kind, reply, credential);
    if (deletions.includes(reply.operation) && [200, 204, 404].includes(reply.status)) {
      const id = decodeURIComponent(new URL(reply.request.url).pathname.split('/').at(-1) ?? '');
      this.entries.delete(keyOf(reply.operation.includes('note') ? 'note' : 'key', id));
    }
  }

  /** What can be deleted: notes first, then keys, because a key may be the one that made the note. */
  deletable(): Made[] {
    const rank = { note: 0, key: 1, company: 2, contact: 2 };
    return [...this.entries.values()].filter(({ kind }) => rank[kind] < 2).sort((a, b) => rank[a.kind] - rank[b.kind]);
  }

  residue(): Residue[] {
    return [...this.entries.values()].map(({ kind, id, name }) => ({ kind, id, name }));
  }

  private add(kind: RecordKind, reply: Reply, credential: Credential): void {
    const record = dataOf(reply);
    const id = identifierOf(kind, record);
    const name = nameIn(record);
    const company = kind === 'note' ? companyOf(reply.request.url) : undefined;
    const account = reply.request.headers['x-active-account'];
    this.entries.set(keyOf(kind, id === undefined ? `unknown, exchange ${reply.id}` : String(id)), {
      kind,
      id: id === undefined ? 'unknown' : String(id),
      name,
      credential: credential.root ?? credential,
      ...(company === undefined ? {} : { company }),
      ...(account === undefined ? {} : { account }),
    });
  }
}
