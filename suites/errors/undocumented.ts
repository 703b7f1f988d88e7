// Undocumented input on every operation: whatever the target makes of it, an error comes in the error envelope.
import * as fc from 'fast-check';
import {
  type Api,
  anonymous,
  type Call,
  type Context,
  conforms,
  expectSchema,
  expectThat,
  type OperationId,
  operationIds,
  operations,
  property,
  type Reply,
} from '../../lib/index.ts';
import { answered } from '../shared/answered.ts';
import { undocumentedBody, undocumentedIdentifier, undocumentedQuery } from './arbitraries.ts';

const ids = ['errors-strange-input-envelope', 'errors-strange-input-status'] as const;
type UndocumentedContext = Pick<Context<(typeof ids)[number], never>, 'check' | 'random'>;

/** An identifier of nothing. */
const unknownId = 2_147_483_002;
const inPath = (operation: OperationId): string[] => operation.match(/(?<=\{)\w+(?=\})/g) ?? [];
const reads = operationIds.filter((id) => operations[id].rate === 'read');
const writes = operationIds.filter((id) => operations[id].rate === 'write');

function expectEnvelope(reply: Reply): void {
  if (reply.status >= 400) expectSchema(reply, 'error', reply.json, '');
}

function expectNoOutage(reply: Reply): void {
  expectThat(reply.status < 500, 'wrong input should not be answered with 5xx', {
    expected: 'any status below 500',
    actual: reply.status,
    replies: reply,
  });
}

interface Search {
  readonly operation: OperationId;
  readonly calls: fc.Arbitrary<Call>;
  /** Tried before any other. */
  readonly likeliest?: Call;
  readonly runs: number;
  readonly send: (call: Call) => Promise<Reply>;
}

/** Few runs each; what was found is shrunk, and the statuses of all that was sent are judged with it. */
async function search(
  { check, random }: UndocumentedContext,
  { operation, calls, likeliest, runs, send }: Search,
): Promise<void> {
  const replies: Reply[] = [];
  const judge = async (call: Call) => {
    const reply = await send({ ...call, undocumented: true });
    replies.push(reply);
    expectEnvelope(reply);
  };
  const expectation = async () => {
    if (likeliest) await judge(likeliest);
    if (runs > 0) await property(random.derive(operation), calls, judge, runs);
  };
  await check(ids[0], expectation, operation);
  if (replies.length > 0) await check(ids[1], () => replies.forEach(expectNoOutage), operation);
}

/** An undocumented identifier each time where the path has one; elsewhere the query. */
const undocumentedRead = (operation: OperationId): fc.Arbitrary<Call> => {
  const path = fc.record(Object.fromEntries(inPath(operation).map((name) => [name, undocumentedIdentifier])));
  return inPath(operation).length === 0 ? undocumentedQuery : path.map((found) => ({ path: found }));
};

/** Where it takes a body the body is undocumented, else the identifier at the path's end; the rest is valid. */
function undocumentedWrite(
  operation: OperationId,
  known: Readonly<Record<string, number>>,
): Omit<Search, 'runs' | 'send'> {
  const path = Object.fromEntries(inPath(operation).map((name) => [name, known[name] ?? unknownId]));
  if (operations[operation].body)
    return { operation, calls: undocumentedBody.map((call) => ({ ...call, path })), likeliest: { text: '[]', path } };
  const last = inPath(operation).at(-1) ?? '';
  return { operation, calls: undocumentedIdentifier.map((found) => ({ path: { ...path, [last]: found } })) };
}

const control = (api: Api, operation: OperationId) => () =>
  inPath(operation).length === 0 && operations[operation].rate === 'read' ? api.send(operation) : api.send('GET /me');

export const undocumented = [
  conforms(ids, { needs: ['spare'] }, async ({ api: primary, spare, effort, ...context }) => {
    const api = primary.as(spare);
    const runs = { quick: 1, standard: 4, thorough: 15 }[effort];
    for (const operation of reads) {
      const send = (call: Call) => answered(api.send(operation, call), control(api, operation));
      await search(context, { operation, calls: undocumentedRead(operation), send, runs });
    }
  }),

  conforms(
    ids,
    { needs: ['spare', 'spareCompany'], writes: true },
    async ({ spare, spareCompany, effort, make, ...context }) => {
      const api = context.api.as(spare);
      const known = { company_id: spareCompany.id, note_id: (await make.note(api, spareCompany.id)).id };
      const runs = { quick: 0, standard: 1, thorough: 6 }[effort];
      for (const operation of writes) {
        // With a key it can be repeated where no answer comes.
        const send = (call: Call) =>
          answered(api.send(operation, { ...call, key: context.random.uuid() }), control(api, operation));
        const about = undocumentedWrite(operation, known);
        await search(context, { ...about, send, runs: about.likeliest ? runs : runs + 1 });
      }
      const operation = 'POST /auth/validate-api-key';
      const send = (call: Call) => answered(api.as(anonymous).send(operation, call), control(api, 'GET /me'));
      await search(context, { ...undocumentedWrite(operation, known), send, runs: effort === 'thorough' ? 2 : 0 });
    },
  ),
];
