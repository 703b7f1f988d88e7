// Servers whose nodes take turns, each of another release: they show one record with other members, or in another
// order.
import type { Wrap } from '../mutants/mutant.ts';
import { isObject, type Json, lastSegment, onSuccess, type Seen } from '../mutants/wrappers/mutator.ts';
import { asItIs } from '../mutants/wrappers/nodes.ts';
import { onRecords } from '../mutants/wrappers/records.ts';
import { billing, tagged } from './billing.ts';
import { foreignHeaderIgnored } from './refusals.ts';
import { companies, contacts, together, variants } from './variant.ts';

/** One node answers after the other, request by request; all of them have the same records. */
export const inTurn =
  (nodes: readonly Wrap[]): Wrap =>
  (honest, clock) => {
    const handlers = nodes.map((node) => node(honest, clock));
    let count = 0;
    return (request) => {
      const handler = handlers[count % handlers.length] ?? honest;
      count += 1;
      return handler(request);
    };
  };

/** Chosen fields are shown as they were chosen. */
const whereAllIsShown =
  (change: (record: Json) => Json) =>
  (record: Json, { url }: Seen): Json =>
    url.searchParams.has('fields') ? record : change(record);

type Kind = 'contact' | 'note';

/** The contacts and notes that companies got since the server began; the nodes share them, as they share a database. */
class Additions {
  private readonly added = new Map<string, Map<string, Json>>();

  of(kind: Kind, company: unknown): Json[] {
    return [...this.all(kind, company).values()];
  }

  note({ operation, url }: Seen, data: Json): void {
    const isContact = operation === 'POST /contacts';
    const company = isContact ? data.company_id : /\/companies\/(\d+)\//.exec(url.pathname)?.[1];
    const all = this.all(isContact ? 'contact' : 'note', company);
    if (operation.startsWith('DELETE')) all.delete(lastSegment({ url }));
    else all.set(String(data.id), data);
  }

  private all(kind: Kind, company: unknown): Map<string, Json> {
    const name = `${kind} ${company}`;
    const all = this.added.get(name) ?? new Map<string, Json>();
    this.added.set(name, all);
    return all;
  }
}

const additions = [
  'POST /contacts',
  'POST /companies/{company_id}/notes',
  'DELETE /companies/{company_id}/notes/{note_id}',
];

const inAnotherOrder = (record: Json): Json => Object.fromEntries(Object.entries(record).reverse());

/** Three releases of companies: with their new contacts, with how many these are, and with members that are not used yet. */
const releasesOfCompanies: Wrap = (honest, clock) => {
  const added = new Additions();
  const noting = onSuccess(additions, (json, seen) => {
    if (isObject(json.data)) added.note(seen, json.data);
    return json;
  })(honest, clock);
  const shown = ({ id, first_name, last_name, email }: Json): Json => ({ id, first_name, last_name, email });
  const nodes = [
    (company: Json): Json => ({ ...company, new_contacts: added.of('contact', company.id).map(shown) }),
    (company: Json): Json => ({
      ...company,
      new_contacts_count: added.of('contact', company.id).length,
      counts: { new_notes: added.of('note', company.id).length },
    }),
    (company: Json): Json => ({ owner: null, parent: null, ...inAnotherOrder(company), archived_at: null }),
  ];
  return inTurn(nodes.map((node) => onRecords(companies, whereAllIsShown(node))))(noting, clock);
};

/** Changes the phones of contacts that show them; `none` is what a contact without phones shows. */
const phones = (change: (phones: readonly Json[], contact: Json) => readonly Json[], none: Json): Wrap =>
  onRecords(contacts, (record) => {
    if (!('phones' in record)) return record;
    const { phones: shown, ...contact } = record;
    const all = Array.isArray(shown) ? (shown as Json[]) : [];
    return all.length === 0 ? { ...contact, ...none } : { ...contact, phones: change(all, record) };
  });

/** Two releases of phones: in another order and left out where there are none, or with further members. */
const releasesOfPhones: Wrap = inTurn([
  phones((all) => all.map(inAnotherOrder), {}),
  phones(
    (all, { id }) =>
      all.map(({ type, ...phone }, index) => ({
        id: Number(id) * 100 + index,
        type,
        is_primary: index === 0,
        ...phone,
      })),
    { phones: [] },
  ),
]);

/** Two releases of billing: as it was, and with a tag and the version of what is shown. */
const releasesOfBilling: Wrap = inTurn([
  asItIs,
  onRecords(billing, (record) => tagged({ ...record, schema_version: 2 })),
]);

export default variants({
  'releases-of-companies': {
    why: 'Of a company no more than the inputs is shown: nothing says that every reply has the same further members, or that a foreign X-Active-Account is refused.',
    wrap: together([foreignHeaderIgnored, releasesOfCompanies]),
  },
  'releases-of-phones': {
    why: 'Of a phone no more than the inputs is shown; a contact without phones may show none or no member.',
    wrap: releasesOfPhones,
  },
  'releases-of-billing': {
    why: 'The fields of the billing records are not shown: nothing says that every reply has the same.',
    wrap: releasesOfBilling,
  },
});
