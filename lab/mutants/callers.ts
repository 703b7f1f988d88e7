// Records that are right for who wrote them, and wrong for other callers, in other places, or some seconds later.

import { apiPath } from '../../lib/catalogue/operations.ts';
import { highLimits, mutants, type Wrap } from './mutant.ts';
import type { Json } from './wrappers/mutator.ts';
import { altered, instead, lastSegment, rewritten, type Seen, see } from './wrappers/mutator.ts';
import {
  companies,
  contacts,
  createContact,
  createNote,
  deleteNote,
  editCompany,
  editNote,
  notes,
  readCompany,
} from './wrappers/operations.ts';
import { ask, bodyOf, noting, onRecords } from './wrappers/records.ts';
import { tokenOf } from './wrappers/tokens.ts';

const isWrite = ({ request }: Seen): boolean => request.method !== 'GET';

/** Each caller keeps replies to reads for some seconds, and forgets them with its own writes only. */
const keepingReplies =
  (operation: string, forMs: number): Wrap =>
  (honest, clock) => {
    const kept = new Map<string, Map<string, { readonly json: Json; readonly until: number }>>();
    return async (request) => {
      const seen = await see(request);
      const token = tokenOf(seen);
      if (isWrite(seen)) {
        kept.delete(token);
        return honest(request);
      }
      const response = await honest(request);
      if (seen.operation !== operation || !response.ok) return response;
      const own = kept.get(token) ?? new Map();
      kept.set(token, own);
      const json = (await response.clone().json()) as Json;
      const known = own.get(request.url);
      if (known && clock.now() < known.until)
        return rewritten(response, { ...known.json, request_id: json.request_id, timestamp: json.timestamp });
      own.set(request.url, { json, until: clock.now() + forMs });
      return response;
    };
  };

/** The total that a caller sees stays for a minute as it was, unless it writes itself. */
const keepingTotals: Wrap = (honest, clock) => {
  const kept = new Map<string, { readonly total: unknown; readonly until: number }>();
  return async (request) => {
    const seen = await see(request);
    const name = `${tokenOf(seen)} ${seen.url.pathname}`;
    const response = await honest(request);
    if (isWrite(seen)) kept.delete(name);
    if (seen.operation !== notes || !response.ok) return response;
    const json = (await response.clone().json()) as { pagination: Json };
    const known = kept.get(name);
    if (known && clock.now() < known.until)
      return rewritten(response, { ...json, pagination: { ...json.pagination, total: known.total } });
    kept.set(name, { total: json.pagination.total, until: clock.now() + 60_000 });
    return response;
  };
};

/** Of two edits within five seconds the second is lost ten seconds later. */
const losingQuickEdits: Wrap = (honest, clock) => {
  const edits = new Map<string, { readonly body: Json; readonly at: number }>();
  const due: { readonly id: string; readonly body: Json; readonly at: number; readonly seen: Seen }[] = [];
  return async (request) => {
    const seen = await see(request);
    for (const one of due.filter(({ at }) => at <= clock.now())) {
      due.splice(due.indexOf(one), 1);
      await ask(honest, one.seen, 'PATCH', `${apiPath}/companies/${one.id}`, one.body);
    }
    const kept = { ...seen, url: seen.url, request: request.clone() };
    const response = await honest(request);
    if (seen.operation !== editCompany || !response.ok) return response;
    const id = lastSegment(seen);
    const before = edits.get(id);
    if (before && clock.now() - before.at < 5_000)
      due.push({ id, body: before.body, at: clock.now() + 10_000, seen: kept });
    edits.set(id, { body: bodyOf(seen), at: clock.now() });
    return response;
  };
};

/** The edit of a company saves its contacts anew, without their titles. */
const losingTitles: Wrap = (honest, clock) => {
  const edited = new Map<unknown, number>();
  const made = new Map<unknown, number>();
  const noted = noting([editCompany, createContact], ({ id }, seen) => {
    if (seen.operation === editCompany) edited.set(Number(lastSegment(seen)), clock.now());
    else made.set(id, clock.now());
  })(honest, clock);
  return onRecords(contacts, (contact) => {
    const lost = (edited.get(contact.company_id) ?? -1) >= (made.get(contact.id) ?? Number.POSITIVE_INFINITY);
    return lost && contact.title ? { ...contact, title: null } : contact;
  })(noted, clock);
};

/** A second contact with one e-mail address gives its names to the first as well. */
const mergingByEmail: Wrap = (honest, clock) => {
  const names = new Map<unknown, Json>();
  const noted = noting(createContact, ({ email, first_name, last_name }) => {
    if (email) names.set(email, { first_name, last_name });
  })(honest, clock);
  return onRecords(contacts, (contact) => {
    const latest = names.get(contact.email);
    if (!latest || !('first_name' in contact) || !('last_name' in contact)) return contact;
    return { ...contact, ...latest };
  })(noted, clock);
};

/** The deletion of a note deletes those with the same text on other companies that this caller has written to. */
const deletingEqualTexts: Wrap = (honest, clock) => {
  const texts = new Map<string, { readonly text: unknown; readonly list: string; readonly token: string }>();
  return instead([createNote, editNote, deleteNote], async (seen, inner) => {
    const list = seen.url.pathname.replace(/\/notes.*$/, '/notes');
    const token = tokenOf(seen);
    const again = await altered(seen, {});
    const response = await inner(seen.request.clone());
    if (!response.ok) return response;
    if (seen.operation !== deleteNote) {
      const { id, text } = ((await response.clone().json()) as { data: Json }).data;
      texts.set(String(id), { text, list, token });
      return response;
    }
    const gone = texts.get(lastSegment(seen));
    texts.delete(lastSegment(seen));
    for (const [id, one] of texts) {
      if (!gone || one.text !== gone.text || one.list === list || one.token !== token) continue;
      texts.delete(id);
      await ask(inner, { ...seen, url: seen.url, request: again }, 'DELETE', `${one.list}/${id}`);
    }
    return response;
  })(honest, clock);
};

/** Other callers than the editor see a note for half a minute as it was before the edit. */
const editsSeenByEditor: Wrap = (honest, clock) => {
  const texts = new Map<string, unknown>();
  const edits = new Map<string, { readonly by: string; readonly old: unknown; readonly until: number }>();
  const noted = noting([createNote, editNote], ({ id, text }, seen) => {
    if (seen.operation === editNote)
      edits.set(String(id), { by: tokenOf(seen), old: texts.get(String(id)) ?? text, until: clock.now() + 30_000 });
    texts.set(String(id), text);
  })(honest, clock);
  return onRecords(notes, (note, seen) => {
    const edit = edits.get(String(note.id));
    return edit && edit.by !== tokenOf(seen) && clock.now() < edit.until ? { ...note, text: edit.old } : note;
  })(noted, clock);
};

/** A list shows an edited company as it was until somebody has read it by its identifier. */
const mendedByRead: Wrap = (honest, clock) => {
  const latest = new Map<number, Json>();
  const stale = new Map<number, Json>();
  const noted: Wrap = noting(['POST /companies', readCompany, editCompany], (company, seen) => {
    const id = Number(company.id);
    const before = latest.get(id);
    if (seen.operation === editCompany && before) stale.set(id, stale.get(id) ?? before);
    if (seen.operation === readCompany) stale.delete(id);
    latest.set(id, company);
  });
  return onRecords(companies, (company) => {
    const old = stale.get(Number(company.id));
    return old ? Object.fromEntries(Object.keys(company).map((name) => [name, old[name]])) : company;
  })(noted(honest, clock), clock);
};

export default mutants(
  {
    'notes-list-record': {
      // Endpoints, row GET .../notes: "200, array of notes"; a list may lag for five seconds (reading, Lists).
      'callers-see-edits-of-others-half-a-minute-late': {
        also: ['notes-edit-effect'],
        collateral: { 'notes-text-characters': 'the list shows a text that was edited since' },
        wrap: editsSeenByEditor,
      },
    },
    'pagination-total-exact': {
      // Pagination, rule 2: "total (integer)".
      'callers-keep-totals-of-notes-until-they-write': keepingTotals,
    },
    'companies-edit-effect': {
      'callers-keep-what-they-read-of-a-company-until-they-write': {
        collateral: { 'companies-edit-bounds': 'what was kept is read after such an edit as well' },
        wrap: keepingReplies(readCompany, 30_000),
      },
      // Endpoints, row PATCH /companies/{company_id}: "200, the updated company".
      'companies-second-of-two-quick-edits-is-undone-later': {
        collateral: {
          'companies-read-record': 'what is undone later is read as well',
          'companies-list-record': 'what is undone later is listed as well',
          'companies-edit-others': 'what is undone later looks like the edit of another company',
        },
        wrap: losingQuickEdits,
      },
    },
    'companies-list-record': {
      // The same row, and GET /companies.
      'companies-list-shows-edits-once-they-were-read': mendedByRead,
    },
    'contacts-list-record': {
      // Endpoints, row POST /contacts: "201, the contact"; nothing of it changes by the edit of a company.
      'contacts-lose-their-title-when-their-company-is-edited': losingTitles,
      'contacts-take-names-of-the-next-with-their-email': {
        collateral: {
          'contacts-list-contains': 'a contact is looked for by its names',
          'contacts-create-once': 'a list shows two contacts of the same names',
          'pagination-fields-kept': 'without the names, a list shows them as they were',
        },
        wrap: mergingByEmail,
      },
    },
    'notes-list-contains': {
      'callers-keep-lists-of-notes-until-they-write': {
        collateral: {
          'notes-list-record': 'a list shows what a note said before',
          'notes-edit-effect': 'a list shows a text that was edited since',
          'pagination-total-exact': 'a list counts what was there before',
        },
        wrap: keepingReplies(notes, 20_000),
      },
    },
    'notes-others-untouched': {
      // Endpoints, row DELETE .../notes/{note_id}: that note, and no other.
      'notes-delete-takes-equal-texts-of-other-companies': {
        notFound: 'A note that is gone beside an own deletion is open where another one was deleted at that time.',
        collateral: {
          'notes-delete-effect': 'a note that is gone already cannot be deleted',
          'pagination-traversal-complete': 'a list that is paged through has lost notes',
          'pagination-stable-edits': 'a list that is paged through has lost notes',
          'pagination-stable-deletes': 'a list that is paged through has lost notes',
          'pagination-total-exact': 'a list that is paged through has lost notes',
        },
        wrap: deletingEqualTexts,
      },
    },
  },
  highLimits,
);
