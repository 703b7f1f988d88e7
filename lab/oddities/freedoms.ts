// Every choice of every freedom of the reference, alone.
import { choices, type Freedoms } from '../reference/index.ts';
import { withoutKeyCreation } from './key-creation.ts';
import type { Exceptions, Oddity } from './oddity.ts';

interface Excepted {
  readonly untested?: Exceptions;
  readonly warned?: Exceptions;
}

/** What a choice leaves out of the interface's optional or recommended parts. */
export const exceptionsOf: { readonly [Choice in `${keyof Freedoms}=${string}`]?: Excepted } = {
  'lastUsedAt=never': { warned: { 'api-keys-list-last-used-moves': 'last_used_at is never filled in' } },
  'idempotentCreates=false': {
    warned: {
      'idempotency-company-create': 'the document lists the header on notes only',
      'idempotency-contact-create': 'the document lists the header on notes only',
    },
  },
  'keyCreation=false': { untested: withoutKeyCreation },
};

/** Values that no freedom's default has, as `name=value`. */
export const freedoms: readonly Oddity[] = Object.entries(choices).flatMap(([name, [, ...others]]) =>
  others.map((value): Oddity => {
    const choice = `${name as keyof Freedoms}=${value}` as const;
    return {
      id: `freedom-${choice}`,
      why: `${name} may be ${value}`,
      reference: { freedoms: { [name]: value } },
      ...exceptionsOf[choice],
    };
  }),
);

export default freedoms;
