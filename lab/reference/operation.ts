// What an operation is: one row of method, path and credential, and the function that carries it out.
import { refuse } from './refusal.ts';
import type { Service } from './service.ts';
import type { Account, Fields, User } from './store.ts';
import type { Session } from './tokens.ts';

export interface PublicCall {
  readonly service: Service;
  /** Milliseconds since the epoch; one moment for the whole call. */
  readonly now: number;
  readonly query: URLSearchParams;
  /** The identifiers of the path; undefined where one is not a positive integer. */
  readonly ids: { readonly company_id?: number | undefined; note_id?: number | undefined; key_id?: number | undefined };
  /** Empty where the operation takes no body. */
  readonly body: Fields;
}
export interface Call extends PublicCall {
  readonly session: Session;
}
export interface Result {
  readonly data: unknown;
  readonly pagination?: unknown;
}

interface Row {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API's path, with :company_id, :note_id, :key_id. */
  readonly path: string;
  readonly status?: 201;
}
interface PublicOperation extends Row {
  readonly access: 'public';
  run(call: PublicCall): Result;
}
export interface ProtectedOperation extends Row {
  readonly access: 'user';
  /** Whether the user has the scope or right; otherwise 403. */
  allows?(user: User, service: Service): boolean;
  /** Whether a repeat with the same Idempotency-Key is recognised. */
  idempotent?(service: Service): boolean;
  run(call: Call): Result;
}
export type Operation = PublicOperation | ProtectedOperation;

/** Whether it takes a JSON object as its body. */
export const takesBody = ({ method }: Operation): boolean => method === 'POST' || method === 'PATCH';

/** What creations of companies and of contacts have in common. */
export const creation = {
  status: 201,
  allows: (user: User) => user.mayCreate,
  idempotent: ({ choices }: Service) => choices.idempotentCreates,
} as const;

/** The account that the call is about; refuses with 400 where none can be determined. */
export function activeAccount({ session }: Call): Account {
  if (session.account !== undefined) return session.account;
  throw refuse(400, 'No active account: send X-Active-Account or use an API key');
}
