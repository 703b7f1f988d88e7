// All operations, and finding those at a path.
import type { Choices } from './choices.ts';
import { accountOperations, billingOperations } from './operations/account.ts';
import { companyOperations } from './operations/companies.ts';
import { contactOperations } from './operations/contacts.ts';
import { keyOperations } from './operations/keys.ts';
import { noteOperations } from './operations/notes.ts';
import { publicOperations } from './operations/public.ts';
import type { Operation } from './visit.ts';

const operations: readonly Operation[] = [
  ...publicOperations,
  ...accountOperations,
  ...keyOperations,
  ...billingOperations,
  ...companyOperations,
  ...noteOperations,
  ...contactOperations,
];

const PREFIX = '/api/external/v2';

export interface Found {
  operations: ReadonlyMap<string, Operation>;
  ids: readonly string[];
  isPublic: boolean;
}

interface Place {
  segments: readonly string[];
  operations: Map<string, Operation>;
}

const NONE: readonly string[] = [];

export class Router {
  readonly #choices: Choices;
  readonly #plain = new Map<string, Found>();
  readonly #places: Place[] = [];

  constructor(choices: Choices) {
    this.#choices = choices;
    for (const operation of operations) this.#put(operation);
    for (const place of this.#places) {
      if (place.segments.includes('#')) continue;
      this.#plain.set(place.segments.join('/'), foundAt(place, NONE));
    }
  }

  find(path: string): Found | undefined {
    const rest = this.#inside(path);
    if (rest === undefined) return undefined;
    const plain = this.#plain.get(rest);
    if (plain !== undefined) return plain;
    const segments = rest.split('/');
    const place = this.#places.find((candidate) => fits(candidate.segments, segments));
    return (
      place &&
      foundAt(
        place,
        segments.filter((_, index) => place.segments[index] === '#'),
      )
    );
  }

  #inside(path: string): string | undefined {
    const cased = this.#choices.pathCase === 'any-case' ? path.toLowerCase() : path;
    if (!cased.startsWith(`${PREFIX}/`)) return undefined;
    const rest = cased.slice(PREFIX.length + 1);
    return rest.endsWith('/') && this.#choices.trailingSlash === 'same' ? rest.slice(0, -1) : rest;
  }

  #put(operation: Operation): void {
    const segments = operation.path.slice(1).split('/');
    const name = segments.join('/');
    const known = this.#places.find((place) => place.segments.join('/') === name);
    const place = known ?? { segments, operations: new Map<string, Operation>() };
    if (known === undefined) this.#places.push(place);
    place.operations.set(operation.method, operation);
  }
}

function foundAt(place: Place, ids: readonly string[]): Found {
  const [first] = place.operations.values();
  const isPublic = first?.kind === 'health' || first?.kind === 'validate';
  return { operations: place.operations, ids, isPublic };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => {
    const segment = segments[index];
    return part === '#' ? segment !== '' : part === segment;
  });
}
