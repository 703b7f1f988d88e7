// Strange input on every operation: whatever the target makes of it, an error comes in the error envelope.
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
import { strangeBody, strangeIdentifier, strangeQuery } from './arbitraries.ts';

type Id = 'errors-strange-input-envelope' | 'errors-strange-input-status';
type Scene = Pick<Context<Id, never>, 'fact' | 'random'>;

const ids = ['errors-strange-input-envelope', 'errors-strange-input-status'] as const;
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

/** Few runs each; what was found is shrunk, and the statuses of all that was sent are judged with it. */
async function search(
  { fact, random }: Scene,
  operation: OperationId,
  calls: fc.Arbitrary<Call>,
  send: (call: Call) => Promise<Reply>,
  runs: number,
): Promise<void> {
  const replies: Reply[] = [];
  const predicate = async (call: Call) => {
    const reply = await send({ ...call, strange: true });
    replies.push(reply);
    expectEnvelope(reply);
  };
  await fact(ids[0], () => property(random.derive(operation), calls, predicate, runs), operation);
  await fact(ids[1], () => replies.forEach(expectNoOutage), operation);
}

/** Identifiers in the path strange each time; elsewhere the query. */
const strangeRead = (operation: OperationId): fc.Arbitrary<Call> => {
  const path = fc.record(Object.fromEntries(inPath(operation).map((name) => [name, strangeIdentifier])));
  return inPath(operation).length === 0 ? strangeQuery : path.map((found) => ({ path: found }));
};

/** On the company given: a strange body, or where there is none a strange identifier at the path's end. */
function strangeWrite(operation: OperationId, company: number): fc.Arbitrary<Call> {
  const names = inPath(operation);
  const known = Object.fromEntries(names.map((name) => [name, name === 'company_id' ? company : 2_147_483_002]));
  if (operations[operation].body) return strangeBody.map((call) => ({ ...call, path: known }));
  const last = names.at(-1) ?? '';
  return strangeIdentifier.map((found) => ({ path: { ...known, [last]: found } }));
}

const twin = (api: Api, operation: OperationId) => () =>
  inPath(operation).length === 0 && operations[operation].rate === 'read' ? api.send(operation) : api.send('GET /me');

export const strange = [
  conforms(ids, { needs: ['spare'] }, async ({ api: primary, spare, effort, ...scene }) => {
    const api = primary.as(spare);
    const runs = { quick: 1, standard: 4, thorough: 15 }[effort];
    for (const operation of reads) {
      const send = (call: Call) => answered(api.send(operation, call), twin(api, operation));
      await search(scene, operation, strangeRead(operation), send, runs);
    }
  }),

  conforms(
    ids,
    { needs: ['spare', 'spareCompany'], writes: true },
    async ({ spare, spareCompany, effort, ...scene }) => {
      const api = scene.api.as(spare);
      const runs = { quick: 1, standard: 2, thorough: 6 }[effort];
      for (const operation of writes) {
        // With a key it can be repeated where no answer comes.
        const send = (call: Call) =>
          answered(api.send(operation, { ...call, key: scene.random.uuid() }), twin(api, operation));
        await search(scene, operation, strangeWrite(operation, spareCompany.id), send, runs);
      }
      const validate = (call: Call) =>
        answered(api.as(anonymous).send('POST /auth/validate-api-key', call), twin(api, 'GET /me'));
      await search(scene, 'POST /auth/validate-api-key', strangeBody, validate, effort === 'thorough' ? 3 : 1);
    },
  ),
];
