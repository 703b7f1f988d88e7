// Examples from the laboratory: what a failure of a requirement looks like, and how the reference answers every operation.
import { generatedMutants } from '../../lab/mutants/generated/index.ts';
import { mutants } from '../../lab/mutants/index.ts';
import { createReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import { apiPath, methodOf, type OperationId, operationIds, operations, pathOf } from '../catalogue/operations.ts';
import { handlerTransport } from '../client/transports/handler.ts';
import { credentialNames, type Settings, targetDefaults } from '../configuration/settings.ts';
import type { Exchange } from '../openapi/parts.ts';
import type { Report } from '../result.ts';
import { run } from '../run/run.ts';
import { defined, picked } from '../runtime/defined.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import type { Example } from './parts.ts';

type Mutant = (typeof mutants)[number];

/** More of them would only take longer: the first one nearly always shows it. */
const mutantsMax = 3;

async function reportOf({ wrap, reference }: Mutant, settings: Settings): Promise<Report> {
  const clock = virtualClock();
  const { handler, env } = await createReference({ ...reference, clock: clock.inside });
  const { report } = await run({
    suites,
    settings,
    clock,
    transport: handlerTransport(wrap(handler, clock), clock),
    target: {
      ...targetDefaults,
      baseUrl: 'http://mutant.test',
      credentials: picked(credentialNames, env),
      ...defined({ foreignSlug: env.COVENANT_FOREIGN_SLUG }),
    },
  });
  return report;
}

const settings: Settings = {
  seed: 1,
  readOnly: false,
  exhaustion: true,
  allowIncomplete: false,
  concurrency: 4,
  effort: 'quick',
};

/** Alone first; a few are seen only together with the cases beside them. */
const extents = (requirement: string): readonly Settings[] => [
  { ...settings, requirements: [requirement] },
  { ...settings, requirements: [requirement], effort: 'standard' },
  settings,
];

/** Undefined where no mutant breaks it, or none is noticed. */
export async function exampleOf(requirement: string): Promise<Example | undefined> {
  const breaking = [...mutants, ...generatedMutants].filter(({ breaks }) => breaks.some((id) => id === requirement));
  const only = breaking.filter(({ breaks }) => breaks.length === 1);
  for (const extent of extents(requirement)) {
    for (const mutant of [...only, ...breaking].slice(0, mutantsMax)) {
      const report = await reportOf(mutant, extent);
      const result = report.requirements.find(({ id, verdict }) => id === requirement && verdict === 'failed');
      if (result) return { mutant: mutant.id, report, result };
    }
  }
  return undefined;
}

interface Ask {
  readonly name?: string;
  readonly summary?: string;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: string;
  readonly sent?: unknown;
  /** The variable of another credential than the full key; null: none. */
  readonly as?: string | null;
}
type Data = Readonly<Record<string, unknown>>;
type Asking = (operation: OperationId, how?: Ask) => Promise<Data>;

const nowhere = { company_id: 999_999, note_id: 999_999 };

/** Every operation once as it is meant; the deletions come last. */
async function successes(ask: Asking, key: string): Promise<Data> {
  for (const operation of ['GET /health', 'GET /me', 'GET /me/accounts', 'GET /me/team-accounts'] as const) {
    await ask(operation);
  }
  const me = await ask('GET /me', { as: 'COVENANT_JWT', name: 'session', summary: 'Asked by a session' });
  const { slug } = me.account as Data;
  await ask('PATCH /me/active-account', { as: 'COVENANT_JWT', sent: { slug } });
  for (const operation of ['GET /billing/summary', 'GET /billing/credits/balance'] as const) await ask(operation);
  await ask('GET /account/team', { query: 'limit=2' });
  const made = await ask('POST /api-keys', { sent: { label: 'Nightly import' } });
  await ask('GET /api-keys', { query: 'limit=2&offset=0' });
  await ask('POST /auth/validate-api-key', { as: null, sent: { api_key: key } });
  const unknown = { name: 'invalid', summary: 'Of a key that is not valid', sent: { api_key: 'svc_sk_unknown' } };
  await ask('POST /auth/validate-api-key', { as: null, ...unknown });
  const company = await ask('POST /companies', {
    sent: { name: 'Juniper Lending', company_type: 'lender', website: 'https://juniper.example.com', city: 'Austin' },
  });
  const onCompany = { path: { company_id: company.company_id ?? company.id } };
  const sorted = { name: 'sorted', summary: 'Sorted, so paged by offset' };
  await ask('GET /companies', { query: 'limit=2' });
  await ask('GET /companies', { query: 'limit=2&sort=-created_at', ...sorted });
  await ask('GET /companies', { query: 'limit=2&fields=name', name: 'fields', summary: 'In part, by fields=name' });
  await ask('GET /companies/{company_id}', onCompany);
  await ask('PATCH /companies/{company_id}', { ...onCompany, sent: { city: 'Dallas' } });
  const phones = [{ raw: '(512) 555-0100', type: 'office' }];
  const person = { first_name: 'Ada', last_name: 'Marsh', email: 'ada@juniper.example.com', phones };
  await ask('POST /contacts', { sent: { contact_type: 'lender_contact', ...onCompany.path, ...person } });
  await ask('GET /contacts', { query: 'limit=2' });
  const note = await ask('POST /companies/{company_id}/notes', {
    ...onCompany,
    sent: { text: 'Call back on Monday.' },
  });
  const onNote = { path: { ...onCompany.path, note_id: note.note_id ?? note.id } };
  await ask('GET /companies/{company_id}/notes', { ...onCompany, query: 'limit=2' });
  await ask('PATCH /companies/{company_id}/notes/{note_id}', { ...onNote, sent: { text: 'Call back on Tuesday.' } });
  await refusals(ask, onNote.path);
  await ask('DELETE /companies/{company_id}/notes/{note_id}', onNote);
  return ask('DELETE /api-keys/{key_id}', { path: { key_id: made.id } });
}

/** Every error that a row of the document names, where the reference can be brought to answer it. */
async function refusals(ask: Asking, onNote: Data): Promise<void> {
  for (const operation of operationIds) {
    if (operations[operation].protected) await ask(operation, { as: null, path: { ...nowhere, key_id: 1 } });
  }
  const restricted = 'COVENANT_API_KEY_RESTRICTED';
  for (const operation of ['GET /me/team-accounts', 'GET /billing/summary', 'GET /billing/credits/balance'] as const) {
    await ask(operation, { as: restricted });
  }
  await ask('POST /companies', { as: restricted, sent: { name: 'Marlow', company_type: 'sponsor' } });
  await ask('POST /contacts', { as: restricted, sent: { contact_type: 'sponsor', company_id: onNote.company_id } });
  await ask('GET /me/team-accounts', { as: 'COVENANT_JWT_NO_ACCOUNT' });
  await ask('PATCH /me/active-account', { as: 'COVENANT_JWT', sent: {} });
  await ask('PATCH /me/active-account', { as: 'COVENANT_JWT', sent: { slug: 'no-such-account' } });
  for (const operation of ['GET /companies', 'GET /contacts'] as const)
    await ask(operation, { query: 'cursor=eA==&sort=x' });
  await ask('POST /companies', { sent: { company_type: 'lender' } });
  await ask('POST /contacts', {
    sent: { contact_type: 'sponsor', company_id: onNote.company_id, phones: [{ raw: 'none' }] },
  });
  for (const operation of operationIds.filter((id) => pathOf(id).includes('{company_id}'))) {
    await ask(operation, { path: nowhere, sent: { text: 'Call back.' } });
  }
  await ask('POST /companies/{company_id}/notes', { path: onNote, sent: { text: ' ' } });
  await ask('PATCH /companies/{company_id}/notes/{note_id}', { path: onNote, sent: { text: '' } });
  await ask('PATCH /companies/{company_id}/notes/{note_id}', { path: onNote, sent: { text: ' ' } });
}

/** Asked so often that one of each class is refused. */
async function exceed(ask: Asking, key: string): Promise<void> {
  const as = 'COVENANT_RATE_API_KEY';
  const classes = ['GET /me', 'POST /companies', 'POST /auth/validate-api-key'] as const;
  for (const operation of classes) {
    const sent = operation === 'POST /companies' ? {} : { api_key: key };
    for (let count = 0; count <= 600; count += 1) {
      const { error } = await ask(operation, { as, sent });
      if ((error as Data | undefined)?.code === 'RATE_LIMITED') break;
    }
  }
}

/** The first exchange of each operation, status and name. */
export async function exchangesOfReference(): Promise<readonly Exchange[]> {
  const { handler, env } = await createReference({ clock: virtualClock().inside });
  const exchanges = new Map<string, Exchange>();
  const ask: Asking = async (operation, how = {}) => {
    const {
      name = 'usual',
      summary = 'As the reference answers',
      query = '',
      path = {},
      as = 'COVENANT_API_KEY',
    } = how;
    const sent = operations[operation].body ? (how.sent ?? {}) : undefined;
    const filled = pathOf(operation).replace(/\{(\w+)\}/g, (_, id: string) => String(path[id]));
    const request = new Request(`http://reference.test${apiPath}${filled}${query === '' ? '' : `?${query}`}`, {
      method: methodOf(operation),
      headers: {
        'x-origin-app': 'covenant',
        ...(as === null ? {} : { authorization: `Bearer ${env[as]}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    const reply = await handler(request);
    const received = (await reply.json()) as Data;
    const place = `${operation} ${reply.status} ${name}`;
    const known = { operation, name, summary, status: reply.status, received, ...(sent !== undefined && { sent }) };
    if (!exchanges.has(place)) exchanges.set(place, known);
    return reply.ok ? (received.data as Data) : received;
  };
  const key = env.COVENANT_API_KEY ?? '';
  await successes(ask, key);
  await exceed(ask, key);
  return [...exchanges.values()];
}
