// Bodies that are not JSON: the error envelope, a 4xx status, and nothing has changed.
import {
  type Api,
  anonymous,
  type Call,
  conforms,
  everyReply,
  expectSchema,
  type OperationId,
  type Reply,
} from '../../lib/index.ts';
import { answered } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { expectClientError, expectUntouched, makeTargets, writesOn } from '../shared/refusals.ts';
import { isJson, isSmall } from './bodies.ts';

type JsonWrite = readonly [OperationId, string, Call];

type Damage = (json: string) => string;

/** All that would be needed is there, but for the end. */
const cutShort: Damage = (json) => json.slice(0, -1);
/** What else no parser, however lenient, takes for JSON. */
const others: readonly [Damage, ...Damage[]] = [
  (json) => `${json.slice(0, -1)},,}}`,
  (json) => json.slice(0, Math.ceil(json.length / 2)),
  () => 'text that is not JSON',
  () => '{"',
];

/** Of the operations that take JSON; all where the run is not quick. */
const sample = { quick: 3, standard: undefined, thorough: undefined } as const;

const path = (call: Call): Call => (call.path ? { path: call.path } : {});
const withBody = (all: readonly (readonly [OperationId, Call])[]): JsonWrite[] =>
  all.flatMap(([operation, call]) => (call.body ? [[operation, JSON.stringify(call.body), path(call)] as const] : []));

function isDamaged({ undocumented, status, request: { headers, body } }: Reply): boolean {
  const saysJson = /^application\/json\b/.test(headers['content-type'] ?? '');
  return undocumented === true && status >= 400 && saysJson && body !== undefined && isSmall(body) && !isJson(body);
}

export const malformed = [
  everyReply('errors-malformed-json-envelope', { over: [], anyInput: true, applies: isDamaged }, (reply) =>
    expectSchema(reply, 'error', reply.json, ''),
  ),
  conforms(
    ['errors-malformed-json-envelope', 'errors-malformed-json-status', 'errors-malformed-json-effect'],
    { needs: ['spare', 'spareContact'], writes: [7, 11, 34], validates: [0, 1, 1], leaves: { companies: 1 } },
    async ({ api: primary, spare, spareContact, make, random, effort, clock, check, atEnd }) => {
      const api = primary.as(spare);
      const damage = async (sender: Api, [operation, json, call]: JsonWrite, how: Damage) => {
        const request = sender.send(operation, { ...call, text: how(json), key: random.uuid(), undocumented: true });
        const reply = await attempt(answered(request, () => api.send('GET /me')));
        await check(
          'errors-malformed-json-envelope',
          () => expectSchema(reply.judged(), 'error', reply.judged().json, ''),
          operation,
        );
        await check(
          'errors-malformed-json-status',
          () => expectClientError(reply.value(), 'a body that is not JSON'),
          operation,
        );
      };

      // Validations are the scarcest, and what exceeds their limit waits until nobody sends one any more.
      if (effort !== 'quick')
        await damage(api.as(anonymous), ['POST /auth/validate-api-key', '{"api_key": "svc_sk_none"}', {}], cutShort);
      const targets = await makeTargets({ make, clock }, api, spareContact);
      const mark = make.name('malformed');
      const writes = random.shuffled(withBody(writesOn(targets, mark)));
      for (const write of writes.slice(0, sample[effort])) await damage(api, write, cutShort);
      for (const how of { quick: [], standard: [random.pick(others)], thorough: others }[effort])
        for (const write of effort === 'thorough' ? writes : writes.slice(-1)) await damage(api, write, how);
      const slug = JSON.stringify({ slug: 'covenant-nobody' });
      await damage(api, ['PATCH /me/active-account', slug, {}], cutShort);
      const judge = () => check('errors-malformed-json-effect', () => expectUntouched({ clock }, api, targets, mark));
      await judge();
      atEnd(judge);
    },
  ),
];
