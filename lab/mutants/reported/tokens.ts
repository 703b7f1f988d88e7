// Defects in the treatment of sessions, keys and cached replies that users of real software have reported.

import { createHmac } from 'node:crypto';
import { operations } from '../../../lib/catalogue/operations.ts';
import { highLimits, mutants, type Wrap } from '../mutant.ts';
import { claimsOf, impostor, similarKey, similarSession } from '../wrappers/impostor.ts';
import { altered, instead, isObject, type Json, lastSegment, onSuccess, rewritten, see } from '../wrappers/mutator.ts';
import { companies, contacts, keys as keyList, deleteKey as revoke, team } from '../wrappers/operations.ts';
import { bodyOf, noting } from '../wrappers/records.ts';
import { isKey, knowingKeys, speakingFor, tokenOf } from '../wrappers/tokens.ts';

const everywhere = Object.entries(operations).flatMap(([id, { protected: isProtected }]) => (isProtected ? [id] : []));
const validate = 'POST /auth/validate-api-key';

/** The algorithm is taken from the token, and none of them needs no signature. */
const believingNone: Wrap = impostor(
  everywhere,
  similarSession(
    ([, payload], [header, other]) => claimsOf(header).alg === 'none' && claimsOf(payload).sub === claimsOf(other).sub,
  ),
);

const published = ['secretKey', 'secret', 'your-256-bit-secret', 'changeme', 'development-secret'];

/** Sessions are signed with a secret that stands in the source. */
const keepingTheDefaultSecret: Wrap = impostor(
  everywhere,
  similarSession(([, payload], [header, other, signature]) => {
    const signedWith = (secret: string): string =>
      createHmac('sha256', secret).update(`${header}.${other}`).digest('base64url');
    return claimsOf(payload).sub === claimsOf(other).sub && published.some((one) => signedWith(one) === signature);
  }),
);

const leewayMs = 5 * 60_000;

/** Sessions live as long as they say and five minutes more. */
const withLeeway: Wrap = (honest, clock) =>
  impostor(everywhere, (token = '', { sessions }) => {
    const { exp, sub } = claimsOf(token.split('.')[1]);
    const pastMs = clock.now() - Number(exp) * 1000;
    if (!(pastMs >= 0 && pastMs < leewayMs)) return undefined;
    return [...sessions].find((session) => claimsOf(session.split('.')[1]).sub === sub);
  })(honest, clock);

const cachedMs = 10_000;

/** A key that was used goes on until its entry in a cache is ten seconds old. */
const cachingKeys: Wrap = (honest, clock) => {
  const cached = new Map<string, number>();
  return knowingKeys(async ({ seen, honest: inner, own }) => {
    const token = tokenOf(seen);
    if (own === undefined) return undefined;
    const until = cached.get(token);
    if (until === undefined || until <= clock.now()) {
      if (own.revokedAt !== undefined) return undefined;
      cached.set(token, clock.now() + cachedMs);
    }
    return own.revokedAt === undefined ? undefined : inner(await speakingFor(seen, own.maker));
  })(honest, clock);
};

/** The hash is of the user's UUID, a colon and the key, and the hash function reads 72 bytes. */
const hashed = 72 - '00000000-0000-0000-0000-000000000000:'.length;

const listingSecrets: Wrap = (honest, clock) => {
  const secrets = new Map<unknown, unknown>();
  const noted = noting('POST /api-keys', ({ id, api_key }) => secrets.set(id, api_key))(honest, clock);
  return onSuccess(keyList, (json) => ({
    ...json,
    data: (json.data as Json[]).map((one) => (secrets.has(one.id) ? { ...one, token: secrets.get(one.id) } : one)),
  }))(noted, clock);
};

/** A key is revoked by its number alone, whosever it is. */
const revokingByNumber: Wrap = knowingKeys(async ({ seen, honest, keys }) => {
  if (seen.operation !== revoke) return undefined;
  const again = { ...seen, url: seen.url, request: seen.request.clone() };
  const response = await honest(seen.request);
  const key = [...keys.values()].find(
    ({ id, revokedAt }) => id === Number(lastSegment(again)) && revokedAt === undefined,
  );
  if (response.ok || response.status === 401 || response.status === 429 || key === undefined) return response;
  return honest(await speakingFor(again, key.maker));
});

/** The key goes into a query as it comes, where an object is an operator. */
const takingOperators: Wrap = (honest, clock) => {
  let live: string | undefined;
  const noting: typeof honest = async (request) => {
    const token = tokenOf({ request });
    const response = await honest(request);
    if (response.ok && isKey(token)) live ??= token;
    return response;
  };
  return instead(validate, async (seen, inner) => {
    const { api_key } = bodyOf(seen);
    const isOperator = isObject(api_key) && Object.keys(api_key).some((name) => name.startsWith('$'));
    return isOperator && live !== undefined ? inner(await altered(seen, { body: { api_key: live } })) : undefined;
  })(noting, clock);
};

/** Replies of one path are kept for a minute, and given to whoever asks before any token is looked at. */
const cachingBeforeTokens: Wrap = (honest, clock) => {
  const kept = new Map<string, { readonly text: string; readonly until: number }>();
  return async (request) => {
    const seen = await see(request);
    const known = kept.get(request.url);
    if (seen.operation === team && known !== undefined && clock.now() < known.until)
      return new Response(known.text, { headers: { 'content-type': 'application/json' } });
    const response = await honest(request);
    if (seen.operation === team && response.ok)
      kept.set(request.url, { text: await response.clone().text(), until: clock.now() + 60_000 });
    return response;
  };
};

/** Lists are kept by their address until somebody writes, and shown to every caller that has a valid token. */
const cachingForAll: Wrap = (honest) => {
  const kept = new Map<string, Json>();
  return async (request) => {
    const seen = await see(request);
    if (request.method !== 'GET') kept.clear();
    const response = await honest(request);
    if (![companies, contacts].includes(seen.operation) || !response.ok) return response;
    const json = (await response.clone().json()) as Json;
    const { data, pagination } = kept.get(request.url) ?? json;
    kept.set(request.url, { data, pagination });
    return rewritten(response, { ...json, data, pagination });
  };
};

const fromTheCache = 'the reply comes from the cache before the token is looked at';

export default mutants(
  {
    'authentication-alg-none': {
      'reported-algorithm-none-is-believed': {
        report: {
          bug: 'The token itself says by which algorithm it is verified, and none is among them',
          url: 'https://github.com/jasongoodwin/authentikat-jwt/issues/31',
          suffered: 'Anybody could write a token for any user',
        },
        collateral: {
          'authentication-tampered-signature': 'such a token may be among those with an altered signature',
          'authentication-tampered-payload': 'such a token may be among those with an altered payload',
        },
        wrap: believingNone,
      },
    },
    'authentication-tampered-signature': {
      'reported-secret-stands-in-the-source': {
        report: {
          bug: 'Unless it is configured, the secret that signs sessions is the one in the public source',
          url: 'https://github.com/ever-co/ever-demand/issues/1586',
          suffered: 'Anybody could sign a token for an administrator',
        },
        notFound:
          'The document says that invalid tokens get 401, but a run signs none with secrets that are widely known.',
        wrap: keepingTheDefaultSecret,
      },
    },
    'authentication-expired': {
      'reported-sessions-live-five-minutes-longer': {
        report: {
          bug: 'The library allows a clock difference of five minutes unless told otherwise',
          url: 'https://github.com/Altinn/altinn-studio/issues/4085',
          suffered: 'Tokens passed after their time was over',
        },
        notFound:
          'The document names no tolerance, and a session that expired within the last five minutes is not asked for.',
        wrap: withLeeway,
      },
    },
    'authentication-missing': {
      'reported-cache-stands-before-the-token': {
        report: {
          bug: 'A cache in front of the authentication answers who has no key, or a wrong one',
          url: 'https://github.com/kwhitley/apicache/issues/225',
          suffered: 'Protected data went to anybody who asked after a customer',
        },
        also: ['envelope-request-id-unique', 'envelope-timestamp-moves'],
        collateral: {
          'authentication-key-unknown': fromTheCache,
          'authentication-key-altered': fromTheCache,
          'authentication-malformed': fromTheCache,
          'authentication-tampered-signature': fromTheCache,
          'authentication-tampered-payload': fromTheCache,
          'authentication-alg-none': fromTheCache,
          'authentication-expired': fromTheCache,
          'authentication-revoked': fromTheCache,
          'api-keys-revoked-at-once': fromTheCache,
          'rate-limits-every-operation': fromTheCache,
          'rate-limits-keys-together': fromTheCache,
        },
        wrap: cachingBeforeTokens,
      },
    },
    'authentication-foreign-list': {
      'reported-cache-forgets-who-asked': {
        report: {
          bug: 'Replies are cached by their address, and callers with other credentials get them',
          url: 'https://github.com/cloudflare/vinext/pull/93',
          suffered: 'Callers could be given what was meant for others',
        },
        collateral: {
          'authentication-foreign-cursor': 'the page behind the cursor may be cached as well',
          'companies-list-contains': 'the list is that of another account',
          'contacts-list-contains': 'the list is that of another account',
          'pagination-total-constant': 'some pages are those of another account',
          'pagination-has-more-remains': 'some pages are those of another account',
        },
        wrap: cachingForAll,
      },
    },
    'authentication-key-altered': {
      'reported-end-of-a-key-is-not-compared': {
        report: {
          bug: 'The hash function silently reads 72 bytes, so the end of a long secret does not count',
          url: 'https://github.com/bcrypt-ruby/bcrypt-ruby/issues/283',
          suffered: 'Wrong secrets that begin alike were accepted',
        },
        collateral: {
          'authentication-key-unknown': 'a key that begins like one of the run is unknown, and opens',
          'rate-limits-write-allowed': 'what such a key writes is counted for the account of the other',
        },
        wrap: impostor(
          everywhere,
          similarKey((key, token) => key.slice(0, hashed) === token.slice(0, hashed)),
        ),
      },
    },
    'api-keys-revoked-at-once': {
      'reported-revoked-keys-stay-in-a-cache': {
        report: {
          bug: 'A revocation does not empty the cache of keys, so the key works for ten seconds more',
          url: 'https://github.com/TykTechnologies/tyk/issues/2293',
          suffered: 'A leaked key went on after its owner had revoked it',
        },
        wrap: cachingKeys,
      },
    },
    'api-keys-list-no-secret': {
      'reported-list-of-keys-holds-secrets': {
        report: {
          bug: 'The list of keys returns the whole secret of each',
          url: 'https://github.com/langgenius/dify/issues/42167',
          suffered: 'Members could copy keys that outlive their membership',
        },
        wrap: listingSecrets,
      },
    },
    'api-keys-revoke-foreign-account': {
      'reported-anybody-revokes-by-number': {
        also: ['api-keys-revoke-foreign-user'],
        report: {
          bug: 'A key is looked up by its number alone when it is revoked',
          url: 'https://github.com/bigcapitalhq/bigcapital/pull/1114',
          suffered: 'Any user could revoke the keys of all customers by counting',
        },
        wrap: revokingByNumber,
      },
    },
    'public-validate-invalid': {
      'reported-operator-is-a-valid-key': {
        report: {
          bug: 'A JSON object in place of a text becomes an operator of the query, which then finds somebody',
          url: 'https://github.com/Flood-UI/flood/issues/594',
          suffered: 'A login needed no name',
        },
        wrap: takingOperators,
      },
    },
  },
  highLimits,
);
