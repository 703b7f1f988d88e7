// Short lives of notes, each write of which is repeated under its Idempotency-Key: what is answered the look back judges.
import { type Api, type Call, dataOf, identifierOf, type Random } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';
import { hostileTexts } from './hostile.ts';

/** What one life costs. */
export const writesOfLife = 5;

/** Made, made again, edited, edited again and deleted, under whatever else the call says. */
async function liveOnce(api: Api, company: number | string, texts: readonly string[], random: Random, under: Call) {
  const [text, later] = texts;
  const path = { company_id: company };
  const creation: Call = { ...under, path, body: { text }, key: random.uuid() };
  const made = await api.send('POST /companies/{company_id}/notes', creation);
  await api.send('POST /companies/{company_id}/notes', creation);
  const note = identifierOf('note', dataOf(made));
  if (!wasAccepted(made) || note === undefined) return;
  const onNote = { ...path, note_id: note };
  const edit: Call = { ...under, path: onNote, body: { text: later }, key: random.uuid() };
  await api.send('PATCH /companies/{company_id}/notes/{note_id}', edit);
  await api.send('PATCH /companies/{company_id}/notes/{note_id}', edit);
  await api.send('DELETE /companies/{company_id}/notes/{note_id}', { ...under, path: onNote });
}

/** One life for each of the callers, one after the other. */
export async function repeatNotes(
  callers: readonly Api[],
  company: number | string,
  random: Random,
  under: Call = {},
): Promise<void> {
  for (const api of callers) await liveOnce(api, company, hostileTexts(random, 2), random, under);
}
