// Wrong ways to edit and delete notes.

import { listedToo, mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, instead, lastSegment, onSuccess, rewritten, type Seen } from '../wrappers/mutator.ts';
import { createNote as create, editNote as edit, notes as list, deleteNote as remove } from '../wrappers/operations.ts';
import { ask, bodyOf, noting, onRecords, refusingDone, successes, totalOf } from '../wrappers/records.ts';

const listOf = ({ url }: Seen): string => url.pathname.replace(/\/notes.*$/, '/notes');
const alsoRead = 'it reads the text after an edit as well';

/** The stored notes of a request's company. */
async function stored(honest: Parameters<Wrap>[0], seen: Seen): Promise<readonly Json[]> {
  const { data } = await ask(honest, seen, 'GET', listOf(seen));
  return Array.isArray(data) ? data : [];
}

/** Changes what happens on an edit or deletion of an existing note, given the notes before it. */
const around = (
  operation: string,
  mutator: (seen: Seen, before: readonly Json[], honest: Parameters<Wrap>[0]) => Promise<Response | undefined>,
): Wrap =>
  instead(operation, async (seen, honest) => {
    const before = await stored(honest, seen);
    return before.some(({ id }) => String(id) === lastSegment(seen)) ? mutator(seen, before, honest) : undefined;
  });

/** Does something more after an edit or deletion was carried out. */
const afterwards = (
  operation: string,
  then: (seen: Seen, before: readonly Json[], honest: Parameters<Wrap>[0]) => Promise<unknown>,
): Wrap =>
  around(operation, async (seen, before, honest) => {
    const response = await honest(seen.request.clone());
    if (response.status < 300) await then(seen, before, honest);
    return response;
  });

const others = (seen: Seen, notes: readonly Json[]) => notes.filter(({ id }) => String(id) !== lastSegment(seen));

/** In a company of two notes the other one is changed or deleted as well. */
const touchingOther = (operation: string, method: 'PATCH' | 'DELETE'): Wrap =>
  afterwards(operation, async (seen, before, honest) => {
    const [other, ...more] = others(seen, before);
    if (!other || more.length > 0) return;
    const body = method === 'PATCH' ? { text: `${String(other.text)} (changed)` } : undefined;
    await ask(honest, seen, method, `${listOf(seen)}/${String(other.id)}`, body);
  });

/** A deletion undoes the edits of the other notes of the company. */
const undoingEdits: Wrap = (honest, clock) => {
  const first = new Map<string, unknown>();
  const noted = noting(create, ({ id, text }) => first.set(String(id), text));
  return afterwards(remove, async (seen, before, inner) => {
    for (const { id, text } of others(seen, before)) {
      const old = first.get(String(id));
      if (old !== undefined && old !== text)
        await ask(inner, seen, 'PATCH', `${listOf(seen)}/${String(id)}`, { text: old });
    }
  })(noted(honest, clock), clock);
};

/** Reports success for every edit, but loses those for which `takes` is false. */
const losing = (takes: (seen: Seen) => boolean): Wrap =>
  around(edit, async (seen, before, honest) => {
    const note = before.find(({ id }) => String(id) === lastSegment(seen));
    const { text } = bodyOf(seen);
    if (!note || typeof text !== 'string' || text.trim() === '' || takes(seen)) return undefined;
    const response = await honest(await altered(seen, { body: { text: note.text } }));
    const json = (await response.json()) as { data: Json };
    return rewritten(response, { ...json, data: { ...json.data, text } });
  });

/** The second edit of a note is lost. */
const losingSecond: Wrap = (honest, clock) => {
  const edits = new Map<string, number>();
  return losing((seen) => {
    const count = (edits.get(lastSegment(seen)) ?? 0) + 1;
    edits.set(lastSegment(seen), count);
    return count !== 2;
  })(honest, clock);
};

/** An edit creates another note with the same text as well. */
const appending: Wrap = around(edit, async (seen, _, honest) => {
  const response = await honest(seen.request.clone());
  if (response.status < 300) await ask(honest, seen, 'POST', listOf(seen), bodyOf(seen));
  return response;
});

/** Lists of at most `most` notes show deleted ones again, after `writes` further writes. */
const showingDeleted =
  (writes: number, most: number): Wrap =>
  (honest, clock) => {
    const gone: { readonly path: string; readonly note: Json; readonly at: number }[] = [];
    let count = 0;
    const noting = around(remove, async (seen, before) => {
      const note = before.find(({ id }) => String(id) === lastSegment(seen));
      if (note) gone.push({ path: listOf(seen), note, at: count });
      return undefined;
    })(honest, clock);
    const shown = onSuccess(list, (json, seen) => {
      const back = gone.filter(({ path, at }) => path === listOf(seen) && count - at > writes);
      const data = json.data as Json[];
      return Number(totalOf(json)) > most ? json : { ...json, data: [...data, ...back.map(({ note }) => note)] };
    })(noting, clock);
    return async (request) => {
      if (request.method !== 'GET') count += 1;
      return shown(request);
    };
  };

/** Reports success for every deletion, but keeps notes for which `spares` is true, given how often they were edited. */
const sparing =
  (spares: (edits: number) => boolean): Wrap =>
  (honest, clock) => {
    const success = successes(clock);
    const edits = new Map<string, number>();
    const counting = afterwards(edit, async (seen) =>
      edits.set(lastSegment(seen), (edits.get(lastSegment(seen)) ?? 0) + 1),
    );
    return around(remove, async (seen) =>
      spares(edits.get(lastSegment(seen)) ?? 0) ? success({ deleted: true }) : undefined,
    )(counting(honest, clock), clock);
  };

/** Lets deleted notes be edited again after `writes` further writes. */
const editingDeleted =
  (writes: number): Wrap =>
  (honest, clock) => {
    const gone = new Map<string, number>();
    const success = successes(clock);
    let count = 0;
    const mutated = instead([edit, remove], async (seen, inner) => {
      const response = await inner(seen.request.clone());
      if (seen.operation === remove && response.status === 200) gone.set(lastSegment(seen), count);
      const since = count - (gone.get(lastSegment(seen)) ?? count);
      return seen.operation === edit && response.status === 404 && since > writes
        ? success({ id: Number(lastSegment(seen)), ...bodyOf(seen) })
        : response;
    })(honest, clock);
    return async (request) => {
      if (request.method !== 'GET') count += 1;
      return mutated(request);
    };
  };

const deletion = (change: (data: Json) => Json): Wrap =>
  onSuccess(remove, (json) => ({ ...json, data: change(json.data as Json) }));

export default mutants({
  'notes-edit-reply': {
    'notes-edit-tells-next-id': {
      collateral: { 'idempotency-edit-answer': 'the reply to the repeated edit has the same wrong id' },
      wrap: onRecords(edit, (one) => ({ ...one, id: Number(one.id) + 1 })),
    },
    'notes-edit-tells-no-text': {
      collateral: { 'notes-text-characters': 'it reads the text in the reply to an edit as well' },
      wrap: onRecords(edit, ({ text: _, ...one }) => one),
    },
    'notes-edit-refused': {
      collateral: {
        ...listedToo,
        'notes-text-characters': alsoRead,
        'notes-text-long': 'an edit with a long text is refused as well',
      },
      wrap: refusingDone(edit, 403),
    },
  },
  'notes-edit-effect': {
    'notes-edit-is-lost': {
      collateral: { 'notes-text-characters': alsoRead, 'notes-text-long': alsoRead },
      wrap: losing(() => false),
    },
    'notes-second-edit-is-lost': {
      collateral: {
        ...listedToo,
        'idempotency-edit-answer': 'the second edit is compared with its repetition',
        'idempotency-edit-overtaken': 'the edit that overtakes another may be the second',
        'notes-text-characters': alsoRead,
      },
      wrap: losingSecond,
    },
    'notes-edit-makes-further-note': {
      collateral: {
        'pagination-total-exact': 'the additional note counts as well',
        'notes-create-refused-effect': 'the list holds more notes than were created',
      },
      wrap: appending,
    },
  },
  'notes-others-untouched': {
    'notes-edit-touches-other': { collateral: listedToo, wrap: touchingOther(edit, 'PATCH') },
    'notes-edit-deletes-other': {
      collateral: {
        'envelope-valid-served': 'the note that is edited next may be gone',
        'notes-list-contains': 'the note that is gone may have been made just before',
      },
      wrap: touchingOther(edit, 'DELETE'),
    },
    'notes-delete-touches-other': { collateral: listedToo, wrap: touchingOther(remove, 'PATCH') },
    'notes-delete-takes-other-along': touchingOther(remove, 'DELETE'),
    'notes-delete-undoes-edits-of-others': {
      collateral: { 'notes-edit-effect': 'what an edit left is compared with every later list' },
      wrap: undoingEdits,
    },
  },
  'notes-delete-result': {
    'notes-delete-tells-false': deletion((data) => ({ ...data, deleted: false })),
    'notes-delete-tells-text': deletion((data) => ({ ...data, deleted: 'true' })),
    'notes-delete-tells-success': deletion(() => ({ success: true })),
  },
  'notes-delete-effect': {
    'notes-delete-does-nothing': {
      collateral: {
        'pagination-total-exact': 'the note that it deletes still counts',
        'idempotency-create-deleted': 'the note that it deletes is still in the list',
        'notes-deleted-unknown': 'the note is deleted a second time before a list has shown it',
      },
      wrap: sparing(() => true),
    },
    'notes-delete-spares-edited': sparing((edits) => edits > 0),
    'notes-list-shows-deleted': showingDeleted(-1, 1),
  },
  'notes-delete-lasting': {
    'notes-list-shows-deleted-later': {
      collateral: { 'notes-delete-effect': 'the list is judged by the same deletion' },
      wrap: showingDeleted(40, 0),
    },
    'notes-deleted-is-edited-later': editingDeleted(150),
  },
});
