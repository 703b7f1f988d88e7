// What wrappers learn about keys from the traffic: their creators and revocations; and requests with another token.
import type { VirtualClock } from '../../../lib/runtime/virtual-clock.ts';
import type { Handler } from '../../reference/index.ts';
import type { Wrap } from '../mutant.ts';
import type { Json } from './mutator.ts';
import { altered, lastSegment, rewritten, type Seen, see } from './mutator.ts';

export interface IssuedKey {
  readonly id: number;
  readonly label: string;
  /** The token that created it. */
  readonly maker: string;
  readonly madeAt: number;
  /** How many requests were sent with it. */
  uses: number;
  revokedAt?: number;
}

/** The keys created since the run began, by their secret. */
type Issued = ReadonlyMap<string, IssuedKey>;

/** The token that a key goes back to: keys make keys. */
export function firstMaker(token: string, keys: Issued): string {
  const made = keys.get(token);
  return made === undefined ? token : firstMaker(made.maker, keys);
}

/** How every API key begins. */
export const keyPrefix = 'svc_sk_';
export const isKey = (token: string): boolean => token.startsWith(keyPrefix);

export const tokenOf = ({ request }: Pick<Seen, 'request'>): string =>
  (request.headers.get('authorization') ?? '').replace(/^Bearer /i, '');

export const isSession = (seen: Pick<Seen, 'request'>): boolean => tokenOf(seen).split('.').length === 3;

/** The same request with another token. */
export const speakingFor = (seen: Seen, token: string, headers: Record<string, string | null> = {}): Promise<Request> =>
  altered(seen, { headers: { ...headers, authorization: `Bearer ${token}` } });

async function learn(keys: Map<string, IssuedKey>, seen: Seen, response: Response, now: number): Promise<void> {
  if (!response.ok) return;
  const { data } = (await response.clone().json()) as { data: Json };
  if (seen.operation === 'POST /api-keys') {
    const { id, label, api_key } = data;
    keys.set(String(api_key), { id: Number(id), label: String(label), maker: tokenOf(seen), madeAt: now, uses: 0 });
  }
  const id = Number(lastSegment(seen));
  for (const key of keys.values())
    if (seen.operation === 'DELETE /api-keys/{key_id}' && key.id === id && data.deleted === true) key.revokedAt = now;
}

export interface Scene {
  readonly seen: Seen;
  readonly honest: Handler;
  readonly keys: Issued;
  readonly clock: VirtualClock;
  /** The issued key that the request is sent with. */
  readonly own: IssuedKey | undefined;
}

/** Replies by what is known of the keys; undefined leaves the request to the honest server. */
export const knowingKeys =
  (answer: (scene: Scene) => Promise<Response | undefined> | Response | undefined): Wrap =>
  (honest, clock) => {
    const keys = new Map<string, IssuedKey>();
    const learning: Handler = async (request) => {
      const seen = await see(request);
      const response = await honest(request);
      await learn(keys, seen, response, clock.now());
      return response;
    };
    return async (request) => {
      const seen = await see(request);
      const own = keys.get(tokenOf(seen));
      const response = (await answer({ seen, honest: learning, keys, clock, own })) ?? (await learning(request));
      if (own) own.uses += 1;
      return response;
    };
  };

/** Changes the JSON of successful replies by what is known of the keys. */
export const onSuccessWithKeys = <Reply extends Json = Json>(
  when: (scene: Scene) => boolean,
  change: (json: Reply, scene: Scene) => unknown,
): Wrap =>
  knowingKeys(async (scene) => {
    if (!when(scene)) return undefined;
    const response = await scene.honest(scene.seen.request.clone());
    if (!response.ok) return response;
    return rewritten(response, await change((await response.json()) as Reply, scene));
  });

/** Whether a request is one of this operation. */
export const asks =
  (operation: string) =>
  ({ seen }: Scene): boolean =>
    seen.operation === operation;

/** Serves callers that should get 403, with the token of a caller that was accepted before. */
export const opening =
  (operation: string, to: (scene: Scene) => boolean = () => true): Wrap =>
  (honest, clock) => {
    let opener: string | undefined;
    return knowingKeys(async (scene) => {
      const { seen, honest: inner } = scene;
      if (seen.operation !== operation) return undefined;
      const response = await inner(seen.request.clone());
      if (response.status < 300) opener = tokenOf(seen);
      const open = response.status === 403 && opener !== undefined && to(scene);
      if (!open || opener === undefined) return response;
      const opened = await inner(await speakingFor(seen, opener));
      // The opener may have been revoked meanwhile.
      return opened.status === 401 ? response : opened;
    })(honest, clock);
  };
