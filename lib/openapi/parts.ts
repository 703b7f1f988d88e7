// What the parts of the OpenAPI description share: its objects, names, and how a requirement is named in it.
import type { RequirementId } from '../catalogue/index.ts';
import { apiPath, type OperationId } from '../catalogue/operations.ts';

export type Json = Readonly<Record<string, unknown>>;

/** One request and its reply, as the reference answered. */
export interface Exchange {
  readonly operation: OperationId;
  /** Unique among the exchanges of its operation and status. */
  readonly name: string;
  readonly summary: string;
  /** The request's body, where it has one. */
  readonly sent?: unknown;
  readonly status: number;
  readonly received: unknown;
}

/** The member that leads to requirements; each identifier stands in the root's `x-covenant-catalogue`. */
export const holdsTo = (...ids: readonly RequirementId[]): Json => ({ 'x-covenant-requirements': ids });

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const words = (text: string): string[] => text.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');

/** `api-key-created` becomes `ApiKeyCreated`. */
export const typeName = (name: string): string => words(name).map(capital).join('');

/** `GET /companies/{company_id}` becomes `getCompaniesCompanyId`. */
export function operationName(id: OperationId): string {
  const [method = '', ...rest] = words(id);
  return method.toLowerCase() + rest.map(capital).join('');
}

export const component = (kind: 'schemas' | 'parameters' | 'responses', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});
export const schemaRef = (name: string): Json => component('schemas', typeName(name));

/** Named examples of one media type. */
export const examplesOf = (all: readonly Exchange[], value: (one: Exchange) => unknown): Json =>
  all.length === 0
    ? {}
    : { examples: Object.fromEntries(all.map((one) => [one.name, { summary: one.summary, value: value(one) }])) };

/** Below the base URL, where the interface begins (Versioning). */
export const serverOf = (baseUrl: string): Json => ({ url: baseUrl + apiPath, description: 'The server' });
