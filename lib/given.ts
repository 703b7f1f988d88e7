// What a case may ask for: credentials that the target may offer, and records made once a run and shared.

import type { OperationId } from './catalogue/operations.ts';
import { type Api, Client, type Line } from './client/client.ts';
import type { Credential } from './client/credential.ts';
import type { Reply } from './client/reply.ts';
import type { Call } from './client/request.ts';
import { expectSuccess } from './expect/expect.ts';
import type { Company, Contact, MadeKey, Maker, Note } from './maker.ts';
import { type Memberships, readMemberships } from './memberships.ts';
import * as offers from './offers.ts';
import { callFor } from './specimen.ts';
import type { Standings } from './standing.ts';

/** The closed list. Whatever cannot be had rejects with the reason. */
export interface Supplies {
  /** The primary key, known to have the scope `billing:read`. */
  readonly billing: Credential;
  /** The primary key, known to have the scope `account:read`. */
  readonly accountReader: Credential;
  /** Another user without `account:read` and `billing:read`, who may not create companies or contacts. */
  readonly restricted: Credential;
  /** A different user on a different account. */
  readonly secondary: Credential;
  /** What the validation told of each configured key when the run began: validations are too dear to be repeated. */
  readonly primaryValidation: Reply;
  readonly restrictedValidation: Reply;
  readonly secondaryValidation: Reply;
  /** Where the bulk of the writing is done: the secondary key, or the primary where there is none. */
  readonly spare: Credential;
  /** A company of the spare account, for notes. */
  readonly spareCompany: Company;
  /** A JWT session of a user with at least two memberships. */
  readonly session: Credential;
  readonly expiredSession: Credential;
  /** A JWT session of a user without a determinable active account. */
  readonly accountlessSession: Credential;
  /** An existing account of which the session's user is not a member. */
  readonly foreignSlug: string;
  /** A key of the account that may be exhausted: the dedicated one, or else the primary. */
  readonly exhaustible: Credential;
  /** A second key of that account. */
  readonly sibling: Credential;
  /** A company of that account and a note on it, for the writes of bursts. */
  readonly exhaustibleCompany: Company;
  readonly exhaustibleNote: Note;
  readonly memberships: Memberships;
  /** A company of the primary account; cases may add notes and contacts to it, and not edit it. */
  readonly company: Company;
  /** A second one, for what must not happen to the first. */
  readonly otherCompany: Company;
  /** A company of the secondary account. */
  readonly foreignCompany: Company;
  /** A contact of the shared company. */
  readonly contact: Contact;
  /** A note of the shared company; not to be edited or deleted. */
  readonly note: Note;
  /** A note of the company of the secondary account. */
  readonly foreignNote: Note;
  /** A key made by the primary key; not to be revoked. */
  readonly key: MadeKey;
  /** A key made by the primary key and revoked again. */
  readonly revokedKey: MadeKey;
  /** A key made by the secondary key, on its own account. */
  readonly foreignKey: MadeKey;
  /** A call of the operation that is valid in everything, on records kept for this; deletions name a record that must survive. */
  readonly callFor: (operation: OperationId) => Call;
}
export type SupplyName = keyof Supplies;

/** What suppliers draw from. */
export interface Stock {
  readonly api: Api;
  readonly line: Line;
  readonly standings: Standings;
  readonly make: Maker;
  get<Name extends SupplyName>(name: Name): Promise<Supplies[Name]>;
}

const suppliers: { readonly [Name in SupplyName]: (stock: Stock) => Promise<Supplies[Name]> } = {
  billing: ({ standings, api }) => offers.withScope(standings, 'billing:read', api),
  accountReader: ({ standings, api }) => offers.withScope(standings, 'account:read', api),
  restricted: ({ standings, api }) => offers.restricted(standings, api),
  secondary: async ({ standings }) => offers.secondary(standings),
  primaryValidation: async ({ standings }) => offers.validated(standings, 'COVENANT_API_KEY'),
  restrictedValidation: async ({ standings, get }) => {
    await get('restricted');
    return offers.validated(standings, 'COVENANT_API_KEY_RESTRICTED');
  },
  secondaryValidation: async ({ standings, get }) => {
    await get('secondary');
    return offers.validated(standings, 'COVENANT_API_KEY_SECONDARY');
  },
  spare: async ({ standings }) => offers.spare(standings),
  spareCompany: async ({ api, make, get }) => make.company(api.as(await get('spare'))),
  session: async ({ standings }) => offers.session(standings, 'COVENANT_JWT'),
  expiredSession: async ({ standings, line }) => offers.expiredSession(standings, line.clock.now()),
  accountlessSession: async ({ standings }) => offers.session(standings, 'COVENANT_JWT_NO_ACCOUNT'),
  foreignSlug: async ({ line, get }) => offers.foreignSlug(line.target, await get('memberships')),
  exhaustible: async ({ standings }) => offers.exhaustible(standings),
  sibling: async ({ standings }) => offers.sibling(standings),
  exhaustibleCompany: async ({ api, make, get }) => make.company(api.as(await get('exhaustible'))),
  exhaustibleNote: async ({ api, make, get }) =>
    make.note(api.as(await get('exhaustible')), (await get('exhaustibleCompany')).id),
  memberships: async ({ api, make, line, get }) => readMemberships(api.as(await get('session')), make, line.readOnly),
  company: ({ api, make }) => make.company(api),
  otherCompany: ({ api, make }) => make.company(api),
  foreignCompany: async ({ api, make, get }) => make.company(api.as(await get('secondary'))),
  contact: async ({ api, make, get }) => make.contact(api, (await get('company')).id),
  note: async ({ api, make, get }) => make.note(api, (await get('company')).id),
  foreignNote: async ({ api, make, get }) =>
    make.note(api.as(await get('secondary')), (await get('foreignCompany')).id),
  key: ({ api, make }) => make.key(api),
  revokedKey: async ({ api, make }) => {
    const key = await make.key(api);
    expectSuccess(await api.send('DELETE /api-keys/{key_id}', { path: { key_id: key.id } }));
    return key;
  },
  foreignKey: async ({ api, make, get }) => make.key(api.as(await get('secondary'))),
  callFor: async ({ api, make, get, line }) =>
    callFor({ api, make, company: await get('company'), foreignSlug: line.target.foreignSlug }),
};

/** Supplies each thing once a run, when it is first asked for, and hands the same to everybody. */
export class Given {
  private readonly had = new Map<SupplyName, Promise<unknown>>();
  private readonly stock: Stock;

  constructor(line: Line, standings: Standings, make: Maker) {
    const primary = standings.get('COVENANT_API_KEY');
    if (!primary) throw new Error('no standing for the primary key');
    const api = new Client(line, primary.credential, 'records that cases share');
    this.stock = { api, line, standings, make, get: (name) => this.get(name) };
  }

  get<Name extends SupplyName>(name: Name): Promise<Supplies[Name]> {
    const had = this.had.get(name) ?? suppliers[name](this.stock);
    this.had.set(name, had);
    // The map keeps for each name what its own supplier returned.
    return had as Promise<Supplies[Name]>;
  }
}
