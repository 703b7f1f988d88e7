// Wrong ways to edit companies.

import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, instead, lastSegment, onSuccess, refusal, rewritten, type Seen } from '../wrappers/mutator.ts';
import {
  createCompany as create,
  editCompany as edit,
  companies as list,
  readCompany as read,
} from '../wrappers/operations.ts';
import { ask, beyondAll, bodyOf, onBody, onRecords, refusingDone } from '../wrappers/records.ts';

type Reply = { data: Json };

/** Replies to an edit with something other than what was stored. */
const replying = (change: (edited: Json, before: Json, seen: Seen) => Json): Wrap =>
  instead(edit, async (seen, honest) => {
    const before = (await ask(honest, seen, 'GET', seen.url.pathname)) as Reply;
    const response = await honest(seen.request.clone());
    if (response.status >= 300) return response;
    const json = (await response.json()) as Reply;
    return rewritten(response, { ...json, data: change(json.data, before.data, seen) });
  });

/** Replies with the whole edit, and stores only part of it. */
const storing =
  (kept: (body: Json) => Json): Wrap =>
  (honest, clock) => {
    const echoing = onSuccess(edit, (json, seen) => ({ ...json, data: { ...(json.data as Json), ...bodyOf(seen) } }));
    return echoing(onBody(edit, kept)(honest, clock), clock);
  };

/** Writes the linkedin_url of an edit into every lender without a website as well. */
const changingOthers: Wrap = (honest, clock) => {
  const others: string[] = [];
  const noting = onRecords(create, (one) => {
    if (one.website === null && one.company_type === 'lender') others.push(String(one.id));
    return one;
  });
  return instead(edit, async (seen, inner) => {
    const response = await inner(seen.request.clone());
    const { linkedin_url } = bodyOf(seen);
    if (response.status < 300 && linkedin_url !== undefined)
      for (const id of others)
        await ask(inner, seen, 'PATCH', seen.url.pathname.replace(/[^/]+$/, id), { linkedin_url });
    return response;
  })(noting(honest, clock), clock);
};

const only = (record: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));

/** Lists companies as they were when they were created. */
const listingFirstVersions: Wrap = (honest, clock) => {
  const first = new Map<unknown, Json>();
  const noting = onRecords(create, (one) => {
    first.set(one.id, one);
    return one;
  });
  return onRecords(list, (one) => ({ ...one, ...only(first.get(one.id) ?? {}, Object.keys(one)) }))(
    noting(honest, clock),
    clock,
  );
};

/** Reads by id return the previous version for a second after an edit. */
const readingLate: Wrap = (honest, clock) => {
  const former = new Map<string, { until: number; record: Json }>();
  const noting = instead(edit, async (seen, inner) => {
    const { data } = (await ask(inner, seen, 'GET', seen.url.pathname)) as Partial<Reply>;
    if (data) former.set(lastSegment(seen), { until: clock.now() + 1000, record: data });
    return undefined;
  });
  const late = onRecords(read, (one, seen) => {
    const known = former.get(lastSegment(seen));
    return known && clock.now() < known.until ? known.record : one;
  });
  return late(noting(honest, clock), clock);
};

/** Takes an edit to an empty name, and shows it. */
const emptyingNames: Wrap = (honest, clock) => {
  const emptied = new Set<string>();
  const taking = instead(edit, async (seen, inner) => {
    const { name } = bodyOf(seen);
    if (name !== '') {
      if (name !== undefined) emptied.delete(lastSegment(seen));
      return undefined;
    }
    const response = await inner(await altered(seen, { body: { ...bodyOf(seen), name: 'none' } }));
    if (response.status < 300) emptied.add(lastSegment(seen));
    return response;
  });
  // A list of chosen fields need not have the name.
  const isEmptied = (one: Json): boolean => 'name' in one && emptied.has(String(one.id));
  return onRecords([edit, read, list], (one) => (isEmptied(one) ? { ...one, name: '' } : one))(
    taking(honest, clock),
    clock,
  );
};

export default mutants({
  'companies-edit-bounds': { 'companies-edit-empties-names': emptyingNames },
  'companies-edit-reply': {
    'companies-edit-tells-old-values': replying((_, before) => before),
    'companies-edit-tells-next-id': replying((edited) => ({ ...edited, id: Number(edited.id) + 1 })),
    'companies-edit-tells-only-name-and-type': replying(({ id, name, company_type }) => ({ id, name, company_type })),
    'companies-edit-refused': {
      collateral: {
        'companies-read-record': 'it shows what a refused edit has written',
        'companies-list-record': 'it shows what a refused edit has written',
      },
      wrap: refusingDone((seen) => seen.operation === edit && 'zip' in bodyOf(seen), 403),
    },
  },
  'companies-edit-effect': {
    'companies-edit-stores-nothing': {
      collateral: {
        'companies-list-record': 'what was written last is compared with every list that shows the company',
      },
      wrap: storing(() => ({})),
    },
    'companies-edit-forgets-zip': {
      collateral: { 'companies-list-record': 'the list shows what the edit has left' },
      wrap: storing(({ zip: _, ...body }) => body),
    },
    'companies-edit-shows-late': readingLate,
  },
  'companies-edit-others': {
    'companies-edit-changes-others': {
      collateral: {
        'companies-list-record': 'the list shows the companies that it changed',
        'companies-read-record': 'so does whoever reads one of them by its identifier',
      },
      wrap: changingOthers,
    },
  },
  'companies-list-record': {
    'companies-list-shows-first-versions': listingFirstVersions,
  },
  'companies-edit-unknown': {
    'companies-edit-unknown-answers-400': beyondAll(edit, () => refusal(400, 'BAD_REQUEST', 'No such company')),
    'companies-edit-unknown-echoes': beyondAll(edit, (seen, success) =>
      success({ id: Number(lastSegment(seen)), ...bodyOf(seen) }),
    ),
  },
});
