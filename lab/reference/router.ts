// Which operation a method and a path select: hono's router over the table of operations.
import { RegExpRouter } from 'hono/router/reg-exp-router';
import type { Choices } from './choices.ts';
import type { Operation, PublicCall } from './operation.ts';
import { notFound, refuse } from './refusal.ts';
import { accountOperations, billingOperations } from './routes/account.ts';
import { apiKeyOperations, publicOperations } from './routes/api-keys.ts';
import { companyOperations } from './routes/companies.ts';
import { contactOperations } from './routes/contacts.ts';
import { noteOperations } from './routes/notes.ts';

/** Every operation of the interface. */
const operations: readonly Operation[] = [
  ...accountOperations,
  ...apiKeyOperations,
  ...publicOperations,
  ...billingOperations,
  ...companyOperations,
  ...noteOperations,
  ...contactOperations,
];

const apiPath = '/api/external/v2';

/** The operations of one path, by method. */
type Methods = Map<string, Operation>;

const methodsByPath = new Map<string, Methods>();
for (const operation of operations) {
  const methods = methodsByPath.get(operation.path) ?? new Map<string, Operation>();
  methodsByPath.set(operation.path, methods.set(operation.method, operation));
}
const router = new RegExpRouter<Methods>();
for (const [path, methods] of methodsByPath) router.add('ALL', apiPath + path, methods);

export interface Route {
  readonly operation: Operation;
  readonly ids: PublicCall['ids'];
}

/** The identifier in a path; anything else matches no record. */
function identifier(segment: string | undefined): number | undefined {
  return segment !== undefined && /^[1-9]\d{0,14}$/.test(segment) ? Number(segment) : undefined;
}

/** The operation of a request; refuses an unknown path with 404 and a wrong method with 405. */
export function route(method: string, path: string, wrongMethod: Choices['wrongMethod']): Route {
  const [matches, stash] = router.match('ALL', path);
  const match = matches[0];
  if (match === undefined) throw notFound('route');
  const [methods, places] = match;
  const operation = methods.get(method);
  if (operation === undefined) {
    if (wrongMethod === 404) throw notFound('route');
    throw refuse(405, `${method} is not allowed here`, { Allow: [...methods.keys()].join(', ') });
  }
  const ids: Record<string, number | undefined> = {};
  for (const [name, place] of Object.entries(places)) {
    ids[name] = identifier(typeof place === 'number' ? stash?.[place] : place);
  }
  return { operation, ids };
}
