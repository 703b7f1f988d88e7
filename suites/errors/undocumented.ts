// Generates undocumented input, and sends it to every operation: queries, identifiers in paths, and bodies.
import * as fc from 'fast-check';
import {
  type Api,
  anonymous,
  type Call,
  type Context,
  conforms,
  dataOf,
  identifierOf,
  type OperationId,
  operationIds,
  operations,
  property,
  type Reply,
  type Tools,
  wasAccepted,
} from '../../lib/index.ts';
import { answered } from '../shared/answer.ts';
import { noObjects } from '../shared/invalid-texts.ts';
import { revokeKey } from '../shared/keys.ts';
import { fullRecord, plainTexts } from '../shared/sent-records.ts';
import {
  dealtValues,
  nearlyValid,
  undocumentedBody,
  undocumentedIdentifier,
  undocumentedQuery,
  undocumentedRecord,
  withOddText,
} from './arbitraries.ts';

const ids = ['errors-strange-input-envelope', 'errors-strange-input-status'] as const;

const inPath = (operation: OperationId): string[] => operation.match(/(?<=\{)\w+(?=\})/g) ?? [];
const reads = operationIds.filter((id) => operations[id].rate === 'read');
const writes = operationIds.filter((id) => operations[id].rate === 'write');

interface Input {
  readonly calls: fc.Arbitrary<Call>;
  /** Tried before the generated ones. */
  readonly likeliest?: readonly Call[];
}

/** Resolves to all replies. */
async function search(
  { check, random }: Pick<Context<(typeof ids)[number]>, 'check' | 'random'>,
  operation: OperationId,
  { calls, likeliest = [] }: Input,
  runs: number,
  send: (call: Call) => Promise<Reply>,
): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  const sendOdd = async (call: Call) => void replies.push(await send({ ...call, undocumented: true }));
  const isAnswered = async () => {
    for (const call of likeliest) await sendOdd(call);
    if (runs > 0) await property(random.derive(operation), calls, sendOdd, runs);
  };
  // Rules do not see a missing reply.
  await check(ids[0], isAnswered, operation);
  return replies;
}

/** An undocumented identifier if the path has one, otherwise undocumented parameters. */
const undocumentedRead = (operation: OperationId): fc.Arbitrary<Call> => {
  const path = fc.record(Object.fromEntries(inPath(operation).map((name) => [name, undocumentedRecord])));
  return inPath(operation).length === 0 ? undocumentedQuery : path.map((found) => ({ path: found }));
};

const phones = [{ raw: '(617) 253-0000', type: 'office', country: 'US', extension: '12' }];

/** Valid bodies with every documented member. */
const bodiesFor = (
  { company_id, company_name }: Known,
  mark: string,
): Partial<Record<OperationId, Readonly<Record<string, unknown>>>> => ({
  'PATCH /me/active-account': { slug: 'covenant-nobody' },
  'POST /api-keys': { label: mark },
  'POST /companies': { ...fullRecord(mark, 'first'), company_type: 'sponsor', name: mark },
  // Keeps the name: other cases search for the company by it.
  'PATCH /companies/{company_id}': { ...fullRecord(mark, 'second'), company_type: 'sponsor', name: company_name },
  'POST /companies/{company_id}/notes': { text: mark },
  'PATCH /companies/{company_id}/notes/{note_id}': { text: mark },
  'POST /contacts': { contact_type: 'sponsor', company_id, ...plainTexts(mark), phones, is_primary: false },
  'POST /auth/validate-api-key': { api_key: 'svc_sk_covenant' },
});

type Known = Readonly<Record<'company_id' | 'note_id', number>> & { readonly company_name: string };

const takesBody = [...writes, 'POST /auth/validate-api-key' as const].filter((id) => operations[id].body);
const noObjectsFor = (operation: OperationId, effort: Tools['effort']): readonly string[] => {
  const place = takesBody.indexOf(operation) % noObjects.length;
  const inTurn = [...noObjects.slice(place), ...noObjects.slice(0, place)];
  return effort === 'thorough' ? inTurn : inTurn.slice(0, 1);
};

/** The body is undocumented, or without a body the last identifier in the path; the rest is valid. */
function undocumentedWrite(
  operation: OperationId,
  known: Known,
  { mark, effort, random, odd }: Pick<Tools, 'effort' | 'random'> & { readonly mark: string; readonly odd: unknown },
): Input {
  const path = Object.fromEntries(inPath(operation).map((name) => [name, known[name as keyof Known] ?? '']));
  const body = bodiesFor(known, mark)[operation];
  if (body) {
    const nearly = nearlyValid(body).map((odd): Call => ({ body: odd }));
    const calls = fc.oneof({ arbitrary: nearly, weight: 3 }, { arbitrary: undocumentedBody, weight: 1 });
    const replaced: readonly Call[] = effort === 'quick' ? [] : [{ body: withOddText(body, odd, random), path }];
    const likeliest = [...noObjectsFor(operation, effort).map((text) => ({ text, path })), ...replaced];
    return { calls: calls.map((call) => ({ ...call, path })), likeliest };
  }
  const last = inPath(operation).at(-1) ?? '';
  return { calls: undocumentedIdentifier.map((found) => ({ path: { ...path, [last]: found } })) };
}

/** Parameters that some frameworks read as lists. */
const repeated: readonly Call[] = [{ query: { limit: ['5', '10'] } }, { query: { 'limit[]': '5' } }];

const control = (api: Api, operation: OperationId) => () =>
  inPath(operation).length === 0 && operations[operation].rate === 'read' ? api.send(operation) : api.send('GET /me');

export const undocumented = [
  conforms(ids, { needs: ['spare'], reads: [12, 56, 188] }, async ({ api: primary, spare, effort, ...context }) => {
    const runs = { quick: 1, standard: 4, thorough: 15 }[effort];
    for (const [place, operation] of context.random.shuffled(reads).entries()) {
      const api = place % 2 === 0 ? primary : primary.as(spare);
      const send = (call: Call) => answered(api.send(operation, call), control(api, operation));
      const isWholeList = operations[operation].list !== undefined && inPath(operation).length === 0;
      const likeliest = effort !== 'quick' && isWholeList ? repeated : [];
      await search(context, operation, { calls: undocumentedRead(operation), likeliest }, runs, send);
    }
  }),

  conforms(
    [...ids, 'errors-body-not-object'],
    {
      needs: ['spare', 'spareCompany', 'spareSponsor'],
      writes: [11, 18, 111],
      validates: [0, 2, 9],
      leaves: { contacts: [0, 1, 2] },
    },
    async ({ spare, spareCompany, spareSponsor, effort, make, ...context }) => {
      const api = context.api.as(spare);
      const company_id = spareCompany.id;
      // Such edits may change what other cases search for; a quick run sends none.
      const aimed = effort === 'quick' ? spareCompany : await spareSponsor();
      const company_name = String(aimed.sent.name);
      const known = { company_id, company_name, note_id: (await make.note(api, company_id)).id };
      const edited = { ...known, company_id: aimed.id };
      const runs = effort === 'thorough' ? 6 : 0;
      const values = dealtValues(context.random, takesBody.length);
      const about = (operation: OperationId) => {
        const aim = operation === 'PATCH /companies/{company_id}' ? edited : known;
        const odd = values[takesBody.indexOf(operation)];
        return undocumentedWrite(operation, aim, { ...context, mark: make.name('undocumented'), effort, odd });
      };
      // Sent first: validations have the lowest limit, and a request beyond it waits until no other is sent.
      if (effort !== 'quick') {
        const operation = 'POST /auth/validate-api-key';
        const send = (call: Call) => answered(api.as(anonymous).send(operation, call), control(api, 'GET /me'));
        await search(context, operation, about(operation), effort === 'thorough' ? 2 : 0, send);
      }
      const answers: string[] = [];
      const first: Reply[] = [];
      for (const operation of writes) {
        // An Idempotency-Key makes a repeat safe. Not for API keys: one with an odd label must not exist twice.
        const keyed = operation !== 'POST /api-keys';
        const send = async (call: Call) => {
          const key = keyed ? context.random.uuid() : null;
          const reply = await answered(api.send(operation, { ...call, key }), control(api, operation));
          // Revoked, as other cases would take such a key for the result of a refused creation.
          if (!keyed && wasAccepted(reply)) await revokeKey(api, identifierOf('key', dataOf(reply)));
          return reply;
        };
        const wrong = about(operation);
        const [likeliest] = wrong.likeliest ?? [];
        const [reply] = await search(context, operation, wrong, likeliest ? runs : Math.max(1, runs), send);
        if (!reply || !likeliest) continue;
        answers.push(`${likeliest.text} to ${operation}: ${reply.status}`);
        first.push(reply);
      }
      context.observe('errors-body-not-object', answers.join('; '), ...first);
    },
  ),
];
