// Invalid note texts and bodies, for creation and edit.
import type { JsonObject, Random } from '../../lib/index.ts';
import { wholeTexts } from './tricky-texts.ts';

const wrongTypes: readonly JsonObject[] = [{ text: null }, { text: 42 }, { text: ['text'] }];
/** Without `text`, sometimes with members that a server might mistake for it. */
const lacking = (random: Random): JsonObject => {
  const names = random.shuffled(['note', 'content', 'body', 'title', 'message', 'comment', 'description']);
  const texts = wholeTexts(random);
  const share = Math.ceil(texts.length / names.length);
  const all = names.map((name, place) => [name, texts.slice(place * share, (place + 1) * share)]);
  return random.pick<JsonObject>([
    {},
    Object.fromEntries(names.map((name, place) => [name, texts[place]])),
    { ...Object.fromEntries(all), name: texts[0], company_type: random.pick(['lender', 'sponsor']), org_id: 1 },
  ]);
};
const blank: readonly JsonObject[] = [{ text: '\t' }, { text: '\n' }];
/** One of them per run. */
const otherBlanks = [' ', '   ', '\r\n', ' \t\r\n '] as const;

/** An invalid body. */
export interface RefusedText {
  readonly id: `notes-${RefusedText['on']}-${'missing-text' | 'empty' | 'blank'}`;
  readonly on: 'create' | 'edit';
  readonly body: JsonObject;
}

/** All invalid bodies of both operations. */
export function refusedTexts(random: Random): readonly RefusedText[] {
  const blanks = (on: RefusedText['on']): readonly JsonObject[] =>
    random.int(0, 1) === (on === 'create' ? 1 : 0) ? blank : [...blank, { text: random.pick(otherBlanks) }];
  return (['create', 'edit'] as const).flatMap((on) => [
    ...[lacking(random.derive(`without a text on ${on}`)), ...wrongTypes].map(
      (body): RefusedText => ({ id: `notes-${on}-missing-text`, on, body }),
    ),
    { id: `notes-${on}-empty`, on, body: { text: '' } },
    ...blanks(on).map((body): RefusedText => ({ id: `notes-${on}-blank`, on, body })),
  ]);
}

/** A random invalid body; `which`: of these requirements. */
export const refusedText = (on: RefusedText['on'], random: Random, which = /^/): JsonObject =>
  random.shuffled(refusedTexts(random)).find((row) => row.on === on && which.test(row.id))?.body ?? {};

export const noObjects = ['[]', '"text"', 'null', '42', 'true', '[{}]'] as const;
