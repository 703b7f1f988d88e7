// Operations on contacts.
import { readNewContact } from '../contact-input.ts';
import type { Outcome } from '../outcome.ts';
import { LIST_QUERY, listPage } from '../paging.ts';
import type { Contact, Row } from '../records.ts';
import { refuse } from '../refusal.ts';
import { type ContactInput, contactCollections, dueAt, makeContact } from '../store.ts';
import { contactNameable, contactView } from '../views/deals.ts';
import { accountOf, callerOf, type Operation, type Visit } from '../visit.ts';
import { location } from './companies.ts';

const listContacts: Operation = {
  method: 'GET',
  path: '/contacts',
  kind: 'read',
  needsAccount: true,
  query: LIST_QUERY,
  begin: (visit) => ({
    act: () => {
      const { choices, world } = visit;
      const account = accountOf(visit);
      return listPage(visit, {
        name: `contacts:${account.slug}`,
        source: choices.sharing === 'platform' ? world.allContacts : account.contacts,
        view: (contact) => contactView(contact, choices),
        nameable: contactNameable(choices),
        sortable: {
          few: ['last_name', 'email'],
          many: ['last_name', 'first_name', 'email', 'title', 'company_id', 'id', 'created_at', 'updated_at'],
          value: contactValue,
        },
      });
    },
  }),
};

const createContact: Operation = {
  method: 'POST',
  path: '/contacts',
  kind: 'write',
  needsAccount: true,
  idempotency: (choices) => choices.idemContacts,
  begin: (visit) => {
    const input: { contact?: ContactInput } = {};
    return {
      permit: () => {
        if (visit.membership?.abilities.createContacts !== true) {
          refuse(403, 'not_allowed', 'You may not create contacts.');
        }
      },
      read: () => {
        input.contact = readNewContact(visit);
      },
      act: () => create(visit, input.contact ?? readNewContact(visit)),
    };
  },
};

export const contactOperations: readonly Operation[] = [listContacts, createContact];

function create(visit: Visit, input: ContactInput): Outcome {
  const { world, choices, now } = visit;
  const account = accountOf(visit);
  const contact = makeContact(world, account, callerOf(visit).user, input, now);
  contact.due = dueAt(world, now, 'others');
  for (const collection of contactCollections(world, account)) collection.add(contact, now);
  const view = (): Row => contactView(contact, choices);
  return { status: 201, data: view(), headers: location(visit, `contacts/${contact.id}`), again: view };
}

function contactValue(contact: Contact, name: string): unknown {
  if (name === 'id') return contact.id;
  if (name === 'created_at') return contact.created;
  return name === 'updated_at' ? contact.updated : contact.given[name];
}
