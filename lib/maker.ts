// Makes the records that cases start from, named after the run so that people can tell where they came from.
import type { Api } from './client/client.ts';
import type { Credential } from './client/credential.ts';
import { NotTested } from './client/errors.ts';
import { at, dataOf, identifierOf, type JsonObject, type RecordKind, type Reply } from './client/reply.ts';
import { expectSuccess, expectThat } from './expect/expect.ts';
import type { Random } from './runtime/random.ts';
import type { Secrets } from './secrets/secrets.ts';

/** Stands in the name of every record that a run makes, so that people can tell where it came from. */
export const mark = 'Covenant';

export interface Company {
  readonly id: number;
  readonly sent: JsonObject;
  readonly reply: Reply;
}

export interface Note {
  readonly id: number;
  readonly company: number;
  readonly text: string;
  readonly reply: Reply;
}

export interface Contact {
  readonly id: number | string;
  readonly sent: JsonObject;
  readonly reply: Reply;
}

export interface MadeKey {
  readonly id: number;
  readonly label: string;
  readonly credential: Credential;
  readonly reply: Reply;
}

type Identifier<Kind extends RecordKind> = Kind extends 'contact' ? number | string : number;

/** Each rejects with a Mismatch where the target does not make what was asked for. */
export class Maker {
  private readonly runId: string;
  private readonly random: Random;
  private readonly secrets: Secrets;
  private made = 0;

  constructor(runId: string, random: Random, secrets: Secrets) {
    this.runId = runId;
    this.random = random;
    this.secrets = secrets;
  }

  /** A name that no other record of this or any other run carries: `Covenant <run> <words> <number>`. */
  name(words: string): string {
    this.made += 1;
    return `${mark} ${this.runId} ${words} ${this.made}`;
  }

  async company(api: Api, fields: JsonObject = {}, account?: string): Promise<Company> {
    const sent = { name: this.name('company'), company_type: 'lender', ...fields };
    const reply = await api.send('POST /companies', { body: sent, key: this.random.uuid(), ...active(account) });
    return { id: this.identifier('company', reply), sent, reply };
  }

  async contact(api: Api, company: number, fields: JsonObject = {}): Promise<Contact> {
    const sent = { contact_type: 'lender_contact', company_id: company, last_name: this.name('contact'), ...fields };
    const reply = await api.send('POST /contacts', { body: sent, key: this.random.uuid() });
    return { id: this.identifier('contact', reply), sent, reply };
  }

  async note(api: Api, company: number, text = this.name('note')): Promise<Note> {
    const reply = await api.send('POST /companies/{company_id}/notes', {
      path: { company_id: company },
      body: { text },
      key: this.random.uuid(),
    });
    return { id: this.identifier('note', reply), company, text, reply };
  }

  /** A key of the api's user on its active account, ready to be used. */
  async key(api: Api, label = this.name('key'), account?: string): Promise<MadeKey> {
    const reply = await api.send('POST /api-keys', { body: { label }, ...active(account) });
    const id = this.identifier('key', reply);
    return { id, label, credential: this.credential(api.credential, reply), reply };
  }

  /** The credential in the reply to a key creation. */
  credential(maker: Credential, reply: Reply): Credential {
    const token = at(dataOf(reply), 'api_key');
    expectThat(typeof token === 'string' && token !== '', 'the reply should contain the new key', {
      expected: 'data.api_key, a string',
      actual: token === undefined ? 'absent' : typeof token,
      replies: reply,
    });
    const name = `MADE_KEY_${String(identifierOf('key', dataOf(reply)) ?? reply.id)}`;
    this.secrets.add(name, token);
    return { name, kind: 'key', token, accounts: maker.accounts, root: maker.root ?? maker };
  }

  private identifier<Kind extends RecordKind>(kind: Kind, reply: Reply): Identifier<Kind> {
    // Key creation may be switched off for everybody: what to make of that is for those who ask for a key.
    if (kind !== 'key') expectRight(kind, reply);
    expectSuccess(reply);
    const id = identifierOf(kind, dataOf(reply));
    const fits = typeof id === 'number' || (kind === 'contact' && typeof id === 'string');
    expectThat(fits, `the new ${kind} should have an identifier`, {
      expected: `id or ${kind}_id`,
      actual: id === undefined ? 'absent' : id,
      replies: reply,
    });
    return id as Identifier<Kind>;
  }
}

/** Whether its user may make such records is a matter of the credential, not of the target. */
export function expectRight(kind: RecordKind, ...replies: readonly Reply[]): void {
  const [first] = replies;
  if (first === undefined || replies.some(({ status }) => status !== 403)) return;
  throw new NotTested(`the user of ${first.credential} may not make a ${kind} (403)`);
}

const active = (account: string | undefined) => (account === undefined ? {} : { account });
