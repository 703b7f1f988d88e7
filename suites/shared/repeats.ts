// Short lives of notes, each write of which is repeated under its Idempotency-Key: what is answered the look back judges.
import { type Api, type Call, dataOf, identifierOf, lagMsMax, type Random, type Tools } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';
import { hostileTexts } from './hostile.ts';

/** What one life costs at most. */
export const writesOfLife = 9;

const create = 'POST /companies/{company_id}/notes';
const edit = 'PATCH /companies/{company_id}/notes/{note_id}';
const remove = 'DELETE /companies/{company_id}/notes/{note_id}';

/** A key that differs from another one in its last group only. */
const similar = (key: string, random: Random): string => key.slice(0, -12) + random.uuid().slice(-12);

/** What is yet to be done when lists have caught up. */
interface Life {
  readonly repeatLate: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

/** Made, made again now or later, made under another key, edited there and back, and the first edit repeated. */
async function live(api: Api, company: number | string, random: Random, under: Call): Promise<Life | undefined> {
  const [text, later] = hostileTexts(random, 2);
  const path = { company_id: company };
  const key = random.uuid();
  const creation: Call = { ...under, path, body: { text }, key };
  const made = await api.send(create, creation);
  const isLate = random.int(0, 1) === 1;
  if (!isLate) await api.send(create, creation);
  const other = await api.send(create, { ...creation, key: similar(key, random) });
  const ids = [made, other].filter(wasAccepted).map((reply) => identifierOf('note', dataOf(reply)));
  const [note] = ids;
  if (note === undefined || !wasAccepted(made)) return undefined;
  const editing: Call = { ...under, path: { ...path, note_id: note }, body: { text: later }, key: random.uuid() };
  await api.send(edit, editing);
  if (random.int(0, 1) === 1) await api.send(edit, editing);
  await api.send(edit, { ...editing, body: { text }, key: random.uuid() });
  await api.send(edit, editing);
  return {
    repeatLate: async () => isLate && api.send(create, creation),
    end: async () => {
      for (const id of new Set(ids))
        if (id !== undefined) await api.send(remove, { ...under, path: { ...path, note_id: id } });
    },
  };
}

/** One life for each of the callers; the list is read when it has had its time, and then all is deleted. */
export async function repeatNotes(
  callers: readonly Api[],
  company: number | string,
  { clock, random }: Pick<Tools, 'clock' | 'random'>,
  under: Call = {},
): Promise<void> {
  const lives: Life[] = [];
  for (const api of callers)
    lives.push(...[await live(api, company, random, under)].filter((one) => one !== undefined));
  const [first] = callers;
  if (first === undefined || lives.length === 0) return;
  await clock.sleep(lagMsMax + 1);
  for (const { repeatLate } of lives) await repeatLate();
  const path = { company_id: company };
  await first.send('GET /companies/{company_id}/notes', { ...under, path, query: { limit: 200 } });
  for (const { end } of lives) await end();
}
