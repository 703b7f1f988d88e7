// What a lawful client does with companies, contacts and notes.
import type { Ask, Caller, Client, KnownNote } from './client.ts';
import { given, type Leeway } from './exchange.ts';
import { companyFrom, contactFrom, nameFrom, oddPhones, textFrom, written } from './inputs.ts';

export const companyPath = (id: number | undefined): string => `/companies/${given('company', id)}`;
const notesPath = (id: number | undefined): string => `${companyPath(id)}/notes`;
export const notePath = ({ company, id }: KnownNote): string => `${notesPath(company)}/${given('note', id)}`;

/** Reads one company, now and then by way of its list. */
async function look(client: Client, as: Caller, id: number): Promise<void> {
  await client.ask('GET', companyPath(id), { as });
  if (client.chance(3)) await client.ask('GET', `/companies?limit=${client.deal('look', [1, 10, 200])}`, { as });
}

/** A company of the account; one is made where none is known. */
async function someCompany(client: Client, as: Caller): Promise<number | undefined> {
  const known = client.known(as.account);
  if (known.length === 0 || client.chance(8)) return makeCompany(client, as);
  // Some have many notes, most have few.
  return client.chance(2) ? known[0] : client.one(known);
}

/** idempotency-levels: what a repeat is answered is promised of notes only; elsewhere it may be refused as such. */
const repeated = { repeat: true, also: [400, 409, 422] } as const;
/** idempotency-replay: a success with the same note, or 409. */
const repeatedNote = { repeat: true, also: [409] } as const;
/** note-text-kept: texts of more than 1,000 characters may be refused. */
export const tooLongForSome = (text: string): Leeway => (text.length > 1_000 ? { also: [400, 413, 422] } : {});
/** company-edit-body: which body an edit takes is not shown, and a part of the record may be refused. */
export const partial: Leeway = { also: [400, 422] };

/** An Idempotency-Key half of the time; now and then one in capitals. */
function keyed(client: Client, among = 2): Record<string, string> {
  if (!client.chance(among)) return {};
  const key = client.random.uuid();
  return { 'idempotency-key': client.chance(4) ? key.toUpperCase() : key };
}

async function makeCompany(client: Client, as: Caller): Promise<number | undefined> {
  const ask = { as, text: written(client, companyFrom(client)), headers: keyed(client, 4) };
  const { status, data } = await client.ask('POST', '/companies', ask);
  if ('idempotency-key' in ask.headers && client.chance(2))
    await client.ask('POST', '/companies', { ...ask, ...repeated }, client.chance(2));
  if (status !== 201) return undefined;
  const id = Number(data.id);
  client.known(as.account).push(id);
  return id;
}

export async function companies(client: Client): Promise<void> {
  const as = client.anyone();
  const id = await makeCompany(client, as);
  if (id === undefined) return;
  await look(client, as, id);
  const edits = client.random.int(0, 2);
  for (let edit = 0; edit < edits; edit += 1) {
    const { company_type: _, ...members } = companyFrom(client);
    const body = client.chance(2) ? { name: nameFrom(client) } : { name: nameFrom(client), ...members };
    await client.ask('PATCH', companyPath(id), { as, text: written(client, body), ...partial });
    await look(client, as, id);
  }
}

export async function readCompanies(client: Client): Promise<void> {
  const as = client.chance(4) ? client.restricted() : client.anyone();
  const id = client.one(client.known(as.account));
  if (id === undefined) return;
  await client.ask('GET', companyPath(id), { as });
  if (client.chance(2)) await client.ask('GET', notesPath(id), { as });
}

export async function contacts(client: Client): Promise<void> {
  const as = client.anyone();
  const company = await someCompany(client, as);
  if (company === undefined) return;
  const count = client.random.int(1, 3);
  for (let made = 0; made < count; made += 1) {
    const contact = contactFrom(client, given('company', company));
    const ask = { as, text: written(client, contact), headers: keyed(client, 4) };
    await client.ask('POST', '/contacts', { ...ask, ...oddPhones(contact) });
    if ('idempotency-key' in ask.headers && client.chance(2))
      await client.ask('POST', '/contacts', { ...ask, ...repeated });
  }
  await client.ask('GET', `/contacts?limit=${client.deal('contacts', [3, 10, 200])}`, { as });
}

/** Makes a note, with a replay at once, later, or never. */
export async function makeNote(client: Client, as: Caller, company: number): Promise<KnownNote | undefined> {
  const text = textFrom(client);
  const ask = { as, text: written(client, { text }), headers: keyed(client), ...tooLongForSome(text) };
  const { status, data } = await client.ask('POST', notesPath(company), ask);
  if (status !== 201) return undefined;
  const note = { account: as.account, company, id: Number(data.id) };
  client.notes.push(note);
  if (client.chance(4)) await again(client, as, company, ask);
  if ('idempotency-key' in ask.headers) {
    if (client.chance(3)) client.wait(client.random.int(1_000, 6_000));
    if (!client.chance(3)) await client.ask('POST', notesPath(company), { ...ask, ...repeatedNote }, client.chance(2));
  }
  return note;
}

/** The same text once more, as another note: under a key that is like the first, or under none. */
async function again(client: Client, as: Caller, company: number, ask: Ask): Promise<void> {
  const first = ask.headers?.['idempotency-key'] ?? client.random.uuid();
  const other = client.random.pick([`${first.slice(0, -4)}0000`, `0000${first.slice(4)}`, client.random.uuid(), '']);
  const headers: Record<string, string> = other === '' ? {} : { 'idempotency-key': other };
  const { status, data } = await client.ask('POST', notesPath(company), { ...ask, headers });
  if (status === 201) client.notes.push({ account: as.account, company, id: Number(data.id) });
  await client.ask('GET', notesPath(company), { as });
}

/** A note by way of another company of the same account. */
export async function misplacedNotes(client: Client): Promise<void> {
  const as = client.anyone();
  const note = client.one(client.notes.filter(({ account }) => account === as.account));
  const other = client.one(client.known(as.account).filter((id) => id !== note?.company));
  if (note === undefined || other === undefined) return;
  const path = notePath({ ...note, company: other });
  if (client.chance(2)) await client.ask('PATCH', path, { as, body: { text: 'misplaced' } });
  else await client.ask('DELETE', path, { as });
  await client.ask('GET', notesPath(note.company), { as });
}

async function editNote(client: Client, as: Caller, note: KnownNote): Promise<void> {
  const text = textFrom(client);
  const ask = { as, text: written(client, { text }), headers: keyed(client), ...tooLongForSome(text) };
  await client.ask('PATCH', notePath(note), ask);
  if (!('idempotency-key' in ask.headers) || client.chance(3)) return;
  if (client.chance(2)) await client.ask('PATCH', notePath(note), { as, body: { text: 'in between' } });
  await client.ask('PATCH', notePath(note), { ...ask, ...repeatedNote }, client.chance(2));
}

export async function deleteNote(client: Client, as: Caller, note: KnownNote): Promise<void> {
  await client.ask('DELETE', notePath(note), { as });
  client.notes.splice(client.notes.indexOf(note), 1);
  if (client.chance(2)) await client.ask('DELETE', notePath(note), { as });
  if (client.chance(3)) await client.ask('PATCH', notePath(note), { as, body: { text: 'too late' } });
  await client.ask('GET', notesPath(note.company), { as });
}

export async function notes(client: Client): Promise<void> {
  const as = client.anyone();
  const company = await someCompany(client, as);
  if (company === undefined) return;
  const note = await makeNote(client, as, company);
  if (note === undefined) return;
  if (client.chance(2)) await makeNote(client, as, company);
  await client.ask('GET', `${notesPath(company)}${client.chance(2) ? '' : '?limit=2'}`, { as });
  if (client.chance(2)) await editNote(client, as, note);
  if (client.chance(2)) await client.ask('GET', notesPath(company), { as });
  if (client.chance(2)) await deleteNote(client, as, note);
}

/** Goes back to a note of earlier. */
export async function oldNotes(client: Client): Promise<void> {
  const as = client.anyone();
  const note = client.one(client.notes.filter(({ account }) => account === as.account));
  if (note === undefined) return;
  if (client.chance(2)) await editNote(client, as, note);
  else await deleteNote(client, as, note);
  await client.ask('GET', notesPath(note.company), { as });
}
