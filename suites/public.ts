// Endpoints / Public operations: health, and what the validation returns for live, wrong and undocumented keys.
import {
  type Api,
  anonymous,
  at,
  type Call,
  type Credential,
  conforms,
  dataOf,
  everyReply,
  expectAbsent,
  expectEqual,
  expectStatus,
  expectThat,
  NotTested,
  type Reply,
  suite,
  wordOf,
} from '../lib/index.ts';
import { publicRules } from './public/rules.ts';
import { noTexts, visibleParts, wrongKeys } from './public/wrong-keys.ts';
import { wasAccepted } from './shared/answer.ts';
import { keyPrefix } from './shared/keys.ts';
import { probeScopes } from './shared/scopes.ts';
import { shapeOf } from './shared/shape.ts';
import { keyFacts, scopesIn, validate, validateAs, validateNow, validationAnswer, validIn } from './shared/validate.ts';

/** What the validation returns of a key can be judged only where it reports the key as valid. */
function validData(reply: Reply): unknown {
  if (validIn(reply) !== true)
    throw new NotTested(`the validation of a live key answered ${validationAnswer(reply)}`, reply);
  return dataOf(reply);
}

const scopesOf = (reply: Reply): readonly unknown[] => {
  validData(reply);
  return scopesIn(reply);
};

function expectFacts(reply: Reply): void {
  const data = validData(reply);
  for (const name of ['user_id', 'account_id'] as const) {
    const value = at(data, name);
    const fits = typeof value === 'number' || (typeof value === 'string' && value !== '');
    expectThat(fits, `${name} of a live key should be returned`, {
      expected: 'an identifier',
      actual: value,
      replies: reply,
    });
  }
  const scopes = at(data, 'scopes');
  expectThat(Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'), 'scopes should be texts', {
    expected: 'an array of texts',
    actual: scopes ?? 'absent',
    replies: reply,
  });
  const tier = at(data, 'tier');
  expectThat(typeof tier === 'string', 'the tier of a live key should be returned', {
    expected: 'a text',
    actual: tier ?? 'absent',
    replies: reply,
  });
}

function expectDifferent(one: Reply, other: Reply, name: 'user_id' | 'account_id'): void {
  const [first, second] = [one, other].map((reply) => at(validData(reply), name) ?? undefined);
  if (first === undefined || second === undefined)
    throw new NotTested(`the validation of a live key returned no ${name}`);
  expectThat(wordOf(first) !== wordOf(second), `${name} of two different callers should differ`, {
    expected: 'two values',
    actual: first,
    replies: [one, other],
  });
}

/** What was said of a key at the beginning is said later, to itself and to nobody in particular: the rules judge it. */
async function validateAgain(api: Api, key: Credential): Promise<void> {
  await validateAs(api.as(key), key.token);
  await validate(api, key.token);
}

/** In which nodes may take turns, in milliseconds. */
const nodeMs = 700;

const isValidation = ({ operation }: Reply): boolean => operation === 'POST /auth/validate-api-key';

const cases = [
  everyReply(
    'public-validate-open',
    {
      over: [],
      applies: (reply) => isValidation(reply) && reply.request.headers.authorization === undefined,
    },
    (reply) =>
      expectThat(![401, 403].includes(reply.status), 'the validation should need no credentials', {
        expected: 'an answer without credentials',
        actual: reply.status,
        replies: reply,
      }),
  ),

  everyReply(
    'public-health-open',
    {
      over: [],
      // Whether it is limited, and what it says of a target that is not well, is open.
      applies: ({ operation, request, status }) =>
        operation === 'GET /health' && request.headers.authorization === undefined && status < 429,
    },
    (reply) => expectStatus(reply, 200),
  ),

  everyReply(
    'public-validate-facts',
    { over: [], applies: (reply) => isValidation(reply) && wasAccepted(reply) && validIn(reply) === true },
    expectFacts,
  ),

  everyReply(
    'public-validate-invalid-bare',
    { over: [], applies: (reply) => isValidation(reply) && wasAccepted(reply) && validIn(reply) === false },
    (reply) => {
      for (const name of keyFacts) expectAbsent(at(dataOf(reply), name), `${name} of an invalid key`, reply);
    },
  ),

  conforms(
    ['public-health-open', 'public-health-content'],
    {},
    async ({ api, clock, effort, check, observe, atEnd }) => {
      const ask = () => api.as(anonymous).send('GET /health');
      const reply = await ask();
      await check('public-health-open', () => expectStatus(reply, 200));
      observe('public-health-content', shapeOf(dataOf(reply)), reply);
      if (effort === 'quick') return;
      // Whichever of several nodes answers, and whatever went before.
      const further = async () => {
        for (let time = 0; time < 4; time += 1) {
          await ask();
          await clock.sleep(nodeMs);
        }
      };
      await further();
      atEnd(further);
    },
  ),

  conforms(
    [
      'public-validate-open',
      'public-validate-valid',
      'public-validate-facts',
      'public-validate-scopes-granted',
      'public-validate-values',
    ],
    { needs: ['primaryValidation'] },
    async ({ api, primaryValidation: reply, check, observe }) => {
      const probes = await probeScopes(api);
      await check('public-validate-open', () => expectStatus(reply, 200));
      await check('public-validate-valid', () => {
        if (!wasAccepted(reply)) throw new NotTested(`the validation answered ${reply.status}`);
        expectEqual(validIn(reply), true, 'valid of a live key', reply);
      });
      await check('public-validate-facts', () => expectFacts(reply));
      const granted = probes.filter(({ opened }) => opened);
      await check('public-validate-scopes-granted', () => {
        if (granted.length === 0) throw new NotTested('COVENANT_API_KEY opened no operation that needs a scope');
        const scopes = scopesOf(reply);
        for (const { scope, reply: shown } of granted)
          expectThat(scopes.includes(scope), `scopes should include ${scope}, which the key has`, {
            expected: scope,
            actual: scopes,
            replies: [shown, reply],
          });
      });
      const types = ['user_id', 'account_id'].map((name) => {
        const value = at(dataOf(reply), name);
        return `${name} ${value === undefined ? 'absent' : typeof value}`;
      });
      observe('public-validate-values', `${types.join(', ')}, tier ${wordOf(at(dataOf(reply), 'tier'))}`, reply);
    },
  ),

  conforms(
    'public-validate-identity',
    { needs: ['primaryValidation', 'secondary', 'secondaryValidation'], validates: [0, 2, 2] },
    async ({ api, secondary, effort, primaryValidation, secondaryValidation, check }) => {
      await check('public-validate-identity', () => {
        expectDifferent(primaryValidation, secondaryValidation, 'user_id');
        expectDifferent(primaryValidation, secondaryValidation, 'account_id');
      });
      if (effort !== 'quick') await validateAgain(api, secondary);
    },
  ),

  conforms(
    ['public-validate-identity', 'public-validate-scopes-lacking'],
    { needs: ['restricted', 'primaryValidation', 'restrictedValidation'], validates: [0, 2, 2] },
    async ({ api, restricted, effort, primaryValidation, restrictedValidation, check }) => {
      if (effort !== 'quick') await validateAgain(api, restricted);
      const closed = (await probeScopes(api.as(restricted))).filter((probe) => probe.closed);
      await check('public-validate-identity', () =>
        expectDifferent(primaryValidation, restrictedValidation, 'user_id'),
      );
      await check('public-validate-scopes-lacking', () => {
        if (closed.length === 0) throw new NotTested('COVENANT_API_KEY_RESTRICTED is refused nowhere for a scope');
        const scopes = scopesOf(restrictedValidation);
        for (const { scope, reply } of closed)
          expectThat(!scopes.includes(scope), `scopes should leave out ${scope}, which the key has been seen to lack`, {
            expected: `no ${scope}`,
            actual: scopes,
            replies: [reply, restrictedValidation],
          });
      });
    },
  ),

  conforms(
    ['public-validate-invalid', 'public-validate-invalid-bare'],
    { needs: ['primaryValidation'], validates: [2, 6, 7] },
    async ({ api, primaryValidation, invalid, random, effort, limits, check }) => {
      // The control: the unchanged key is valid.
      validData(primaryValidation);
      const wrong = wrongKeys(api.credential.token ?? '', random, effort);
      const tokens = wrong.map(([name, key]) => invalid(name, key).token);
      const judge = async (reply: Reply): Promise<void> => {
        await check('public-validate-invalid', () => {
          expectStatus(reply, 200);
          expectEqual(validIn(reply), false, 'valid of a wrong key', reply);
        });
        await check('public-validate-invalid-bare', () => {
          if (validIn(reply) === true) throw new NotTested('the wrong key was reported as valid');
          for (const name of keyFacts) expectAbsent(at(dataOf(reply), name), `${name} of an invalid key`, reply);
        });
      };
      const last = effort === 'quick' ? undefined : tokens.pop();
      for (const token of [...tokens, ...(await visibleParts(api, effort))]) await judge(await validate(api, token));
      if (last === undefined) return;
      // What is just said of a key that begins alike is not said of the live one: the rules judge that.
      const leave = await limits.reserve(api.credential, 'validate', 2);
      try {
        await judge(await validateNow(api, last, leave));
        await validateNow(api, api.credential.token, leave);
      } finally {
        leave();
      }
    },
  ),

  conforms(
    ['public-validate-garbage', 'public-validate-missing'],
    { validates: [2, 4, 10] },
    async ({ api, observe, effort, random, atEnd }) => {
      const ask = (body: unknown, more: Call = {}) =>
        api.as(anonymous).send('POST /auth/validate-api-key', { ...more, body });
      const garbage = [
        ['an empty text', ''],
        ['no prefix', random.pick(['covenant', 'harbor view'])],
      ] as const;
      for (const [name, key] of effort === 'thorough' ? garbage : garbage.slice(0, 1)) {
        const reply = await ask({ api_key: key });
        observe('public-validate-garbage', `${name}: ${validationAnswer(reply)}`, reply);
      }
      const absent = await ask({});
      observe('public-validate-missing', `absent: ${validationAnswer(absent)}`, absent);
      // Whether they are refused is open; that none is a valid key the rules judge. At the beginning validations are scarce.
      const odd = noTexts(random, { quick: 0, standard: 1, thorough: 3 }[effort]);
      atEnd(async () => {
        for (const api_key of odd) await ask({ api_key }, { undocumented: true });
      });
      if (effort !== 'thorough') return;
      const number = await ask({ api_key: 42 });
      observe('public-validate-missing', `a number: ${validationAnswer(number)}`, number);
    },
  ),

  conforms('public-validate-jwt', { needs: ['session'], reads: 0, validates: 1 }, async ({ api, session, observe }) => {
    const reply = await validate(api, session.token);
    observe('public-validate-jwt', validationAnswer(reply), reply);
  }),

  conforms(
    'public-bad-credentials',
    { wants: ['secondary'], validates: 1 },
    async ({ api, secondary, invalid, random, observe }) => {
      const outsider = api.as(invalid('BAD_TOKEN', `${keyPrefix}${random.uuid()}`));
      const health = await outsider.send('GET /health');
      // Of another account than most.
      const body = { api_key: (secondary ?? api.credential).token };
      const validation = await outsider.send('POST /auth/validate-api-key', { body });
      const answer = `health ${health.status}, validation ${validationAnswer(validation)}`;
      observe('public-bad-credentials', answer, health, validation);
    },
  ),
];

export default suite('public', cases, publicRules);
