// Bodies that are not JSON: they get the error envelope and 4xx, and change nothing.
import { type Api, anonymous, type Call, conforms, type OperationId } from '../../lib/index.ts';
import { answered } from '../shared/answer.ts';
import { makeTargets, readTargets, writesOn } from '../shared/refusals.ts';

type JsonWrite = readonly [OperationId, string, Call];

type Damage = (json: string) => string;

/** Complete except for the last character. */
const cutShort: Damage = (json) => json.slice(0, -1);
/** Other bodies that no parser accepts as JSON. */
const others: readonly [Damage, ...Damage[]] = [
  (json) => `${json.slice(0, -1)},,}}`,
  (json) => json.slice(0, Math.ceil(json.length / 2)),
  () => 'text that is not JSON',
  () => '{"',
];

/** The number of operations; undefined: all. */
const sample = { quick: 3, standard: undefined, thorough: undefined } as const;

const path = (call: Call): Call => (call.path ? { path: call.path } : {});
const withBody = (all: readonly (readonly [OperationId, Call])[]): JsonWrite[] =>
  all.flatMap(([operation, call]) => (call.body ? [[operation, JSON.stringify(call.body), path(call)] as const] : []));

export const malformed = [
  conforms(
    ['errors-malformed-json-envelope', 'errors-malformed-json-status', 'errors-malformed-json-effect'],
    { needs: ['spare', 'spareContact'], writes: [7, 11, 34], validates: [0, 1, 1], leaves: { companies: 1 } },
    async ({ api: primary, spare, spareContact, make, random, effort, clock, check, atEnd }) => {
      const api = primary.as(spare);
      const damage = async (sender: Api, [operation, json, call]: JsonWrite, how: Damage) => {
        const request = sender.send(operation, { ...call, text: how(json), key: random.uuid(), undocumented: true });
        const isAnswered = async () => void (await answered(request, () => api.send('GET /me')));
        // Rules do not see a missing reply.
        await check('errors-malformed-json-envelope', isAnswered, operation);
      };

      // Sent first: validations have the lowest limit, and a request beyond it waits until no other is sent.
      if (effort !== 'quick')
        await damage(api.as(anonymous), ['POST /auth/validate-api-key', '{"api_key": "svc_sk_none"}', {}], cutShort);
      const targets = await makeTargets({ make }, api, spareContact);
      const writes = random.shuffled(withBody(writesOn(targets, make.name('malformed'))));
      for (const write of writes.slice(0, sample[effort])) await damage(api, write, cutShort);
      for (const how of { quick: [], standard: [random.pick(others)], thorough: others }[effort])
        for (const write of effort === 'thorough' ? writes : writes.slice(-1)) await damage(api, write, how);
      const slug = JSON.stringify({ slug: 'covenant-nobody' });
      await damage(api, ['PATCH /me/active-account', slug, {}], cutShort);
      const look = () => readTargets({ api, clock }, targets);
      await look();
      atEnd(look);
    },
  ),
];
