// Every value of every choice of the reference, one at a time.
import { type Choices, choiceValues } from '../reference/index.ts';
import { withoutKeyCreation } from './key-creation.ts';
import type { Exceptions, Variant } from './variant.ts';

interface Excepted {
  readonly untested?: Exceptions;
  readonly warned?: Exceptions;
}

/** The optional or recommended parts of the interface that a value leaves out. */
export const exceptionsOf: { readonly [Choice in `${keyof Choices}=${string}`]?: Excepted } = {
  'lastUsedAt=never': { warned: { 'api-keys-list-last-used-moves': 'last_used_at is never filled in' } },
  'idempotentCreates=false': {
    warned: {
      'idempotency-company-create': 'the document lists the header on notes only',
      'idempotency-contact-create': 'the document lists the header on notes only',
    },
  },
  'keyCreation=false': { untested: withoutKeyCreation },
};

/** Every value other than the default, as `name=value`. */
const choices: readonly Variant[] = Object.entries(choiceValues).flatMap(([name, [, ...others]]) =>
  others.map((value): Variant => {
    const choice = `${name as keyof Choices}=${value}` as const;
    return {
      id: `choice-${choice}`,
      why: `${name} may be ${value}`,
      reference: { choices: { [name]: value } },
      ...exceptionsOf[choice],
    };
  }),
);

export default choices;
