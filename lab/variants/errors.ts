// Unusual errors: other languages and codes, further members, the other lawful status, a conflict while a write is in progress.
import type { Wrap } from '../mutants/mutant.ts';
import type { Json } from '../mutants/wrappers/mutator.ts';
import { always, onReply, refusal, repetitionOf, see } from '../mutants/wrappers/mutator.ts';
import { everyHeader } from './rewrite.ts';
import { variants } from './variant.ts';

const errorsOf = (json: Json): Json => json.error as Json;

/** Changes the object under `error` of every error reply. */
const everyError = (change: (error: Json, status: number) => Json): Wrap =>
  onReply(always, (json, _seen, status) => (status < 400 ? json : { ...json, error: change(errorsOf(json), status) }));

const secondsIn = (message: unknown): string => /\d+/.exec(String(message))?.[0] ?? '';

/** Translates every message; that of a 429 keeps its number. */
const inWords = (message: string, wait: (seconds: string) => string): Wrap =>
  everyError((error, status) => ({ ...error, message: status === 429 ? wait(secondsIn(error.message)) : message }));

/** Answers 403 for a record of another account; the wrapper remembers who made which company, and with whose rights a made key acts. */
const foreignForbidden: Wrap = (honest) => {
  const owners = new Map<string, string>();
  const makers = new Map<string, string>();
  return async (request) => {
    const seen = await see(request);
    const token = request.headers.get('authorization') ?? '';
    const caller = makers.get(token) ?? token;
    const response = await honest(request);
    const id = /\/companies\/(\d+)/.exec(seen.url.pathname)?.[1];
    if (response.status === 404 && id !== undefined) {
      const owner = owners.get(id);
      return owner !== undefined && owner !== caller ? refusal(403, 'FOREIGN', 'This record is not yours') : response;
    }
    if (seen.operation === 'POST /companies' && response.status === 201) {
      const { data } = (await response.clone().json()) as { data: Json };
      owners.set(String(data.id ?? data.company_id), caller);
    }
    if (seen.operation === 'POST /api-keys' && response.status === 201)
      for (const [secret] of (await response.clone().text()).matchAll(/svc_sk_[^"]{12,}/g))
        makers.set(`Bearer ${secret}`, caller);
    return response;
  };
};

/** Refuses a write while another one with the same key is in progress; the first one is slow. */
const conflictWhileBusy: Wrap = (honest, clock) => {
  const busy = new Set<string>();
  return async (request) => {
    const name = repetitionOf({ request });
    if (name === undefined) return honest(request);
    if (busy.has(name)) return refusal(409, 'IN_PROGRESS', 'The first request with this key is still in progress');
    busy.add(name);
    try {
      await clock.inside.sleep(80);
      return await honest(request);
    } finally {
      busy.delete(name);
    }
  };
};

export default variants({
  'errors-in-german': {
    why: 'The language of messages is open.',
    wrap: inWords('Das geht so leider nicht.', (seconds) => `Zu viele Anfragen: bitte ${seconds} Sekunden Geduld.`),
  },
  'errors-in-japanese': {
    why: 'The language of messages is open.',
    wrap: inWords('要求を処理できません。', (seconds) => `${seconds} 秒後に再試行してください。`),
  },
  'errors-long-codes': {
    why: 'Codes other than those of 401 and 429 are open.',
    wrap: everyError((error, status) =>
      status === 401 || status === 429 ? error : { ...error, code: `platform.errors/v2:${error.code} (${status})` },
    ),
  },
  'errors-further-members': {
    why: 'Error bodies may have more members.',
    wrap: onReply(always, (json, _seen, status) =>
      status < 400
        ? json
        : {
            status,
            timestamp: '2026-03-02T09:00:00Z',
            ...json,
            data: null,
            error: {
              details: [{ field: 'name', issue: 'x' }],
              ...errorsOf(json),
              help: 'https://docs.example/errors',
            },
          },
    ),
  },
  'errors-empty-messages': {
    why: 'Only the type of the messages of 400, 403, 404 and 422 is documented.',
    wrap: everyError((error, status) =>
      status === 401 || status === 429 ? error : { ...error, code: '', message: '' },
    ),
  },
  'errors-foreign-forbidden': { why: 'A record of another account may answer 403 or 404.', wrap: foreignForbidden },
  'errors-conflict-while-busy': {
    why: 'While the first request with a key is in progress a conflict is lawful.',
    wrap: conflictWhileBusy,
  },
  'errors-challenged': {
    why: 'A 401 may carry a challenge, a 429 any form of Retry-After.',
    wrap: everyHeader((headers, status) => {
      if (status === 401) headers.set('www-authenticate', 'Bearer realm="api", error="invalid_token"');
      if (status === 429) headers.set('retry-after', 'Mon, 02 Mar 2026 10:00:00 GMT');
    }),
  },
});
