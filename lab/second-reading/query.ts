// The parameters after the question mark, read once and only when there are any.
import type { Choices } from './choices.ts';
import { refuse } from './refusal.ts';

export class Query {
  readonly #values = new Map<string, string>();

  constructor(text: string, known: readonly string[], choices: Choices) {
    if (text === '') return;
    for (const [name, value] of new URLSearchParams(text)) this.#take(name, value, known, choices);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  #take(name: string, value: string, known: readonly string[], choices: Choices): void {
    if (!known.includes(name)) {
      if (choices.unknownQuery === '400') refuse(400, 'bad_parameter', `The parameter ${name} is not known.`, name);
      return;
    }
    if (value === '' && choices.emptyQuery === 'as-absent') return;
    if (this.#values.has(name)) {
      if (choices.duplicateQuery === '400') refuse(400, 'bad_parameter', `The parameter ${name} is given twice.`, name);
      if (choices.duplicateQuery === 'first') return;
    }
    this.#values.set(name, value);
  }
}
