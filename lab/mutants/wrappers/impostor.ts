// Servers that mistake one caller for another, by what they remember of the callers that the honest server accepted.
import type { Wrap } from '../mutant.ts';
import { altered, lastSegment, type Seen, see } from './mutator.ts';
import { isKey, tokenOf } from './tokens.ts';

/** The callers that the honest server has accepted. */
interface Known {
  readonly keys: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
  /** The token that created a key, by the secret of that key, once it was revoked. */
  readonly revoked: ReadonlyMap<string, string>;
  /** The token that created the company of the request's path. */
  owner(seen: Seen): string | undefined;
}

/** The token with which a refused request is sent again; undefined keeps the refusal. */
export type Pretend = (token: string | undefined, known: Known, seen: Seen, status: number) => string | undefined;

const bearer = ({ request }: Seen): string | undefined =>
  /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
const companyIn = ({ url }: Seen): string | undefined => /\/companies\/(\d+)/.exec(url.pathname)?.[1];

class Memory implements Known {
  readonly keys = new Set<string>();
  readonly sessions = new Set<string>();
  readonly revoked = new Map<string, string>();
  private readonly made = new Map<string, { readonly secret: string; readonly maker: string }>();
  private readonly owners = new Map<string, string>();

  owner(seen: Seen): string | undefined {
    return this.owners.get(companyIn(seen) ?? '');
  }

  async note(seen: Seen, token: string | undefined, response: Response): Promise<void> {
    if (token === undefined || !response.ok) return;
    (isKey(token) ? this.keys : this.sessions).add(token);
    if (seen.operation === 'POST /api-keys' || seen.operation === 'POST /companies') {
      const { data } = (await response.clone().json()) as { data: Record<string, unknown> };
      if (seen.operation === 'POST /companies') this.owners.set(String(data.id), token);
      else this.made.set(String(data.id), { secret: String(data.api_key), maker: token });
    }
    if (seen.operation === 'DELETE /api-keys/{key_id}') this.forget(lastSegment(seen));
  }

  private forget(id: string): void {
    const key = this.made.get(id);
    if (key === undefined) return;
    this.revoked.set(key.secret, key.maker);
    this.keys.delete(key.secret);
  }
}

/** `quietly`: the reply is the honest refusal, although the request is carried out. */
const impostorWhere =
  (operations: readonly string[], pretend: Pretend, quietly: boolean): Wrap =>
  (honest) => {
    const memory = new Memory();
    return async (request) => {
      const seen = await see(request);
      const token = bearer(seen);
      const again = await altered(seen, {});
      const response = await honest(request);
      await memory.note(seen, token, response);
      if (response.ok || !operations.includes(seen.operation)) return response;
      const other = pretend(token, memory, seen, response.status);
      if (other === undefined) return response;
      const pretended = await honest(
        await altered({ ...seen, request: again }, { headers: { authorization: `Bearer ${other}` } }),
      );
      return quietly ? response : pretended;
    };
  };

/** Serves a caller of these operations as another one. */
export const impostor = (operations: readonly string[], pretend: Pretend): Wrap =>
  impostorWhere(operations, pretend, false);

/** Refuses a caller of these operations, but still carries out the write as another one. */
export const refusedTooLate = (operations: readonly string[], pretend: Pretend): Wrap =>
  impostorWhere(operations, pretend, true);

export const first = (tokens: ReadonlySet<string>): string | undefined => [...tokens][0];

/** Requests without credentials, as the first key seen. */
export const anybody: Pretend = (token, { keys }) => (token === undefined ? first(keys) : undefined);

/** Any text that begins like a key, as the first key seen. */
export const anyKey: Pretend = (token = '', { keys, revoked }) =>
  isKey(token) && !keys.has(token) && !revoked.has(token) && ![...keys].some((key) => alike(key, token))
    ? first(keys)
    : undefined;

const alike = (key: string, token: string): boolean => key.slice(0, 20) === token.slice(0, 20);

/** A key that `same` mistakes for another one. */
export const similarKey =
  (same: (key: string, token: string) => boolean): Pretend =>
  (token = '', { keys }) =>
    isKey(token) && !keys.has(token) ? [...keys].find((key) => same(key, token)) : undefined;

/** A JWT that `same` mistakes for another one, by their three parts. */
export const similarSession =
  (same: (session: readonly string[], token: readonly string[]) => boolean): Pretend =>
  (token = '', { sessions }) => {
    const parts = token.split('.');
    if (parts.length !== 3 || sessions.has(token)) return undefined;
    return [...sessions].find((session) => same(session.split('.'), parts));
  };

export const revokedKey: Pretend = (token = '', { revoked }) => revoked.get(token);

export const sentKey = (seen: Seen): boolean => isKey(tokenOf(seen));
/** The content of one part of a JWT; empty where it is not JSON. */
export const claimsOf = (payload = ''): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    return {};
  }
};
