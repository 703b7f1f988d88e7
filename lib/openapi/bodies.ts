// The request bodies of the OpenAPI description: which members of which record may be sent, and which must be.
import type { OperationId } from '../catalogue/operations.ts';
import { type Exchange, examplesOf, holdsTo, type Json, schemaRef } from './parts.ts';
import { membersOf, sendable } from './schemas.ts';

interface Body {
  /** The record whose members may be sent; without one, each is a text. */
  readonly from?: 'company' | 'contact' | 'note' | 'api-key';
  /** Only these of them. */
  readonly take?: readonly string[];
  readonly required: readonly string[];
  readonly more?: Json;
}

const text = { from: 'note', take: ['text'], required: ['text'] } as const;

const bodies: Partial<Record<OperationId, Body>> = {
  'PATCH /me/active-account': { take: ['slug'], required: ['slug'] },
  'POST /api-keys': { from: 'api-key', take: ['label'], required: ['label'] },
  'POST /auth/validate-api-key': { take: ['api_key'], required: ['api_key'] },
  'POST /companies': { from: 'company', required: ['name', 'company_type'] },
  'PATCH /companies/{company_id}': {
    from: 'company',
    required: [],
    more: {
      description: 'The document does not show this body; what may be created is taken to be what may be edited.',
      ...holdsTo('companies-edit-effect', 'companies-edit-partial', 'companies-edit-invalid'),
    },
  },
  'POST /companies/{company_id}/notes': text,
  'PATCH /companies/{company_id}/notes/{note_id}': text,
  'POST /contacts': { from: 'contact', required: ['contact_type', 'company_id'] },
};

/** The server gives an identifier; a company is sent without its own. */
const given: Readonly<Record<string, string>> = { company: 'company_id' };

function propertiesOf({ from, take }: Body): Json {
  if (from === undefined) return Object.fromEntries((take ?? []).map((name) => [name, { type: 'string' }]));
  const members = Object.entries(membersOf(from)).filter(
    ([name]) => name !== given[from] && (take?.includes(name) ?? true),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === 'phones' ? { type: 'array', items: schemaRef('phone-in') } : sendable(member),
    ]),
  );
}

/** The `requestBody` of an operation, with what was really sent as examples; undefined where it takes none. */
export function bodyOf(id: OperationId, exchanges: readonly Exchange[]): Json | undefined {
  const body = bodies[id];
  if (body === undefined) return undefined;
  const { required, more = {} } = body;
  const schema = { type: 'object', ...(required.length > 0 && { required }), properties: propertiesOf(body) };
  const good = exchanges.filter(({ status, sent }) => status < 300 && sent !== undefined);
  const content = { schema, ...examplesOf(good, ({ sent }) => sent) };
  return { required: true, content: { 'application/json': content }, ...more };
}
