// Notes of the run in the lists of companies that it has not made.
import { at, dataOf, identifierOf, type Reply, type Story, type Wrong, wasAccepted } from '../../lib/index.ts';
import { createNote } from '../shared/note-operations.ts';
import { wrong } from './judgement.ts';
import { type Page, pagesOf } from './pages.ts';
import { pathOf } from './sent.ts';

/** Nobody else writes a longer text by chance. */
const textMin = 30;

const nameOf = (id: unknown, text: unknown): string | undefined =>
  Number.isInteger(id) && typeof text === 'string' && text.length >= textMin ? `${id} ${text}` : undefined;

/** Where every company that the run made is known. */
export function judgeForeignNotes({ replies, lost }: Story): readonly Wrong[] {
  if (lost.some(({ method, url }) => method === 'POST' && /\/companies$/.test(new URL(url).pathname))) return [];
  const own = new Set<string>();
  const born = new Map<string, Reply>();
  for (const reply of replies.filter(wasAccepted)) {
    if (reply.operation === 'POST /companies')
      own.add(`${pathOf(reply)}/${identifierOf('company', dataOf(reply))}/notes`);
    if (reply.operation !== createNote) continue;
    own.add(pathOf(reply));
    const name = nameOf(identifierOf('note', dataOf(reply)), at(dataOf(reply), 'text'));
    if (name !== undefined && !born.has(name)) born.set(name, reply);
  }
  const ofPage = ({ path, items, reply, operation }: Page): readonly Wrong[] =>
    items.flatMap((item): readonly Wrong[] => {
      const source = born.get(nameOf(identifierOf('note', item), item.text) ?? '');
      if (source === undefined || own.has(path)) return [];
      const found = { expected: 'no such note', actual: item, replies: [source, reply] };
      return [wrong('notes-list-own-company', operation, 'the list should show no note of another company', found)];
    });
  return pagesOf(replies)
    .filter(({ kind }) => kind === 'note')
    .flatMap(ofPage);
}
