// All choices: the table, the type of a drawn set, and the drawing.
import { accountRows, authRows, keyRows } from './choices/accounts.ts';
import { companyRows, contactRows } from './choices/records.ts';
import { envelopeRows, errorRows, idempotencyRows, limitRows, pagingRows } from './choices/replies.ts';
import { mix } from './dice.ts';

/** Of each choice what the interface document does not say, in our own words with the place, and the values: `'slug | id | either'`. */
const rows = {
  ...envelopeRows,
  ...errorRows,
  ...authRows,
  ...limitRows,
  ...accountRows,
  ...keyRows,
  ...companyRows,
  ...contactRows,
  ...pagingRows,
  ...idempotencyRows,
} as const;

type Rows = typeof rows;
type OneOf<Values extends string> = Values extends `${infer First} | ${infer Others}` ? First | OneOf<Others> : Values;

export type Choices = { [K in keyof Rows]: OneOf<Rows[K][1]> };

export interface ChoiceTableRow {
  name: keyof Choices;
  sentence: string;
  values: readonly string[];
}

export const choiceTable: readonly ChoiceTableRow[] = Object.entries(rows).map(([name, [sentence, values]]) => ({
  name: name as keyof Choices,
  sentence,
  values: values.split(' | '),
}));

/** Draws every choice from the seed by its name, so that a new row moves no other. */
export function drawChoices(seed: number, fixed: Partial<Choices> = {}): Choices {
  const drawn: Record<string, string> = {};
  for (const { name, values } of choiceTable) {
    drawn[name] = values[mix(seed, name) % values.length] ?? '';
  }
  return { ...(drawn as unknown as Choices), ...fixed };
}
