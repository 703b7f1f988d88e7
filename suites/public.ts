// Endpoints / Public operations: health, and the validation of live, invalid and malformed keys.
import {
  type Api,
  anonymous,
  at,
  type Call,
  type Context,
  conforms,
  dataOf,
  itemsOf,
  type Random,
  suite,
  wordOf,
} from '../lib/index.ts';
import { publicRules } from './public/rules.ts';
import { shapeOf } from './shared/answer.ts';
import { keyPrefix } from './shared/keys.ts';
import { probeScopes } from './shared/scopes.ts';
import { validate, validateAs, validateNow, validationAnswer } from './shared/validate.ts';
import { nextNodeMs } from './shared/waits.ts';

/**
 * Another character, not the same letter in the other case, which a lenient target may accept. Its first bits in base64
 * differ: the others may be unused at the end.
 */
const changedAt = (key: string, index: number): string =>
  key.slice(0, index) + (/[w-z\d_-]/.test(key.charAt(index)) ? 'f' : '9') + key.slice(index + 1);

type Wrong = [name: string, key: string];

/** Invalid keys: one never issued, and the live one altered. */
function wrongKeys(live: string, random: Random, effort: Context<never, never>['effort']): Wrong[] {
  const never = `${keyPrefix}${random.uuid()}${random.uuid()}`.replaceAll('-', '');
  // Between key_prefix and the end, by which a careless look-up may find the key.
  const middle = Math.floor(live.length / 2) + random.int(-4, 4);
  const altered = random.shuffled<Wrong>([
    ['KEY_CHANGED_AT_ITS_END', changedAt(live, live.length - 1)],
    ['KEY_WITH_MORE', `${live}x`],
  ]);
  const all: Wrong[] = [
    ['NEVER_ISSUED_KEY', never],
    ['KEY_CHANGED_IN_ITS_MIDDLE', changedAt(live, middle)],
    ['KEY_WITHOUT_ITS_END', live.slice(0, -1)],
    ...altered,
  ];
  // Validations are scarce; the other altered keys are tried as tokens elsewhere.
  return all.slice(0, { quick: 2, standard: 4, thorough: 5 }[effort]);
}

/** The key_prefix of a live key, the caller's own if it is listed: it is no key. */
async function visibleParts(api: Api, effort: Context<never, never>['effort']): Promise<readonly string[]> {
  if (effort === 'quick') return [];
  const { token = '' } = api.credential;
  const prefixes = itemsOf(await api.send('GET /api-keys')).flatMap(({ key_prefix: prefix }) =>
    typeof prefix === 'string' && prefix !== '' && prefix.length < token.length ? [prefix] : [],
  );
  const own = prefixes.filter((prefix) => token.startsWith(prefix));
  return [...own, ...prefixes].slice(0, 1);
}

/** Objects that a database may take for a condition that some key fulfils. */
const operators: readonly unknown[] = [{ $ne: null }, { $gt: '' }, { $exists: true }, { $regex: '.*' }, { $nin: [] }];
/** Values that loosely equal some text, or leave the condition out. */
const loose: readonly unknown[] = [[], [null], ['%'], [[]], true, 0, 1, null, { api_key: { like: '%' } }];

/** `count` values of each kind that are no texts. */
const noTexts = (random: Random, count: number): readonly unknown[] =>
  [operators, loose].flatMap((values) => random.shuffled(values).slice(0, count));

const cases = [
  conforms(['public-health-open', 'public-health-content'], {}, async ({ api, clock, effort, observe, atEnd }) => {
    const ask = () => api.as(anonymous).send('GET /health');
    const reply = await ask();
    observe('public-health-content', shapeOf(dataOf(reply)), reply);
    if (effort === 'quick') return;
    // Several times, and at the end of the run: any of several nodes may answer.
    const further = async () => {
      for (let time = 0; time < 4; time += 1) {
        await ask();
        await clock.sleep(nextNodeMs);
      }
    };
    await further();
    atEnd(further);
  }),

  conforms(
    [
      'public-validate-open',
      'public-validate-valid',
      'public-validate-facts',
      'public-validate-scopes-granted',
      'public-validate-values',
    ],
    { needs: ['primaryValidation'] },
    async ({ api, primaryValidation: reply, observe }) => {
      await probeScopes(api, { exactly: true });
      const types = ['user_id', 'account_id'].map((name) => {
        const value = at(dataOf(reply), name);
        return `${name} ${value === undefined ? 'absent' : typeof value}`;
      });
      observe('public-validate-values', `${types.join(', ')}, tier ${wordOf(at(dataOf(reply), 'tier'))}`, reply);
    },
  ),

  conforms(
    ['public-validate-identity', 'public-validate-scopes-lacking'],
    { needs: ['restricted', 'primaryValidation', 'restrictedValidation'], validates: [0, 2, 2] },
    async ({ api, restricted, effort }) => {
      // With itself and without credentials: the rules compare this with the first validation.
      if (effort !== 'quick') {
        await validateAs(api.as(restricted), restricted.token);
        await validate(api, restricted.token);
      }
      await probeScopes(api.as(restricted), { exactly: true });
    },
  ),

  conforms(
    ['public-validate-invalid', 'public-validate-invalid-bare'],
    { needs: ['primaryValidation'], validates: [2, 6, 7] },
    async ({ api, invalid, random, effort, limits }) => {
      const wrong = wrongKeys(api.credential.token ?? '', random, effort);
      const tokens = wrong.map(([name, key]) => invalid(name, key).token);
      const last = effort === 'quick' ? undefined : tokens.pop();
      for (const token of [...tokens, ...(await visibleParts(api, effort))]) await validate(api, token);
      if (last === undefined) return;
      // The validation of a key that begins alike must not affect the live one.
      const leave = await limits.reserve(api.credential, 'validate', 2);
      try {
        await validateNow(api, last, leave);
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
      // Whether these are refused is open; none may be valid. They come last: validations are scarce at the beginning.
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
      const outsider = api.as(invalid('a key that nobody has', `${keyPrefix}${random.uuid()}`));
      const health = await outsider.send('GET /health');
      // A key of another account than most requests use.
      const body = { api_key: (secondary ?? api.credential).token };
      const validation = await outsider.send('POST /auth/validate-api-key', { body });
      const answer = `health ${health.status}, validation ${validationAnswer(validation)}`;
      observe('public-bad-credentials', answer, health, validation);
    },
  ),
];

export default suite('public', cases, publicRules);
