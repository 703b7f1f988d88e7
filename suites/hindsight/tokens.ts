// The tokens of a run: whose each is, how long each key that the run made has lived, and which of them live at a reply.
import {
  at,
  dataOf,
  identifierOf,
  operations,
  type Reply,
  type Sent,
  type Story,
  wasAccepted,
} from '../../lib/index.ts';
import { familiesOf } from './families.ts';
import { isSession, pathOf, tokenOf } from './sent.ts';

/** A key from its creation on. */
export interface Life {
  readonly id: number | string;
  readonly token: string;
  readonly born: Reply;
  /** The configured credential behind its maker. */
  readonly root: string;
  /** Whatever came of it: somebody asked for its revocation. */
  readonly attempts: readonly Reply[];
  /** The first reply to its own user that says it is revoked. */
  readonly end: Reply | undefined;
}

const isRevocationOf = (id: number | string, reply: Reply): boolean =>
  reply.operation === 'DELETE /api-keys/{key_id}' && pathOf(reply).endsWith(`/${id}`);

const isCreation = ({ method, url }: Sent): boolean => method === 'POST' && new URL(url).pathname.endsWith('/api-keys');

export class Tokens {
  readonly lives: readonly Life[];
  private readonly made: ReadonlyMap<string, Life>;
  /** The last reply in which a token was accepted, by the token. */
  private readonly lastAccepted = new Map<string, number>();
  private readonly configured = new Map<string, string>();

  constructor({ replies, lost }: Story) {
    const families = familiesOf(replies);
    const lostPaths = lost.filter(({ method }) => method === 'DELETE').map(({ url }) => new URL(url).pathname);
    const revocations = replies.filter(({ operation }) => operation === 'DELETE /api-keys/{key_id}');
    const births = replies.filter((reply) => reply.operation === 'POST /api-keys' && wasAccepted(reply));
    this.lives = births.flatMap((born): Life[] => {
      const token = at(dataOf(born), 'api_key');
      const id = identifierOf('key', dataOf(born));
      if (born.mayReplay || typeof token !== 'string' || id === undefined) return [];
      // Whether it was revoked is not known of one whose revocation got no reply.
      if (lostPaths.some((path) => path.endsWith(`/${id}`))) return [];
      const root = families.rootOf(born.credential);
      const attempts = revocations.filter((one) => isRevocationOf(id, one));
      const isOwn = (one: Reply): boolean => families.rootOf(one.credential) === root;
      // Each account may number its keys itself: then it is not known which of them a session revoked, whoever made it.
      const byAny = isSession(root);
      const hasNamesake = births.some(
        (one) =>
          at(dataOf(one), 'api_key') !== token && identifierOf('key', dataOf(one)) === id && (byAny || isOwn(one)),
      );
      const mayHaveOne = byAny && lost.some((one) => isCreation(one));
      const end = attempts.find((one) => at(dataOf(one), 'deleted') === true && !one.mayReplay && isOwn(one));
      return [{ id, token, born, root, attempts, end: hasNamesake || mayHaveOne ? undefined : end }];
    });
    this.made = new Map(this.lives.map((life) => [life.token, life]));
    for (const reply of replies) {
      const token = tokenOf(reply);
      if (token === undefined || reply.operation === undefined || !operations[reply.operation].protected) continue;
      if (/^COVENANT_/.test(reply.credential)) this.configured.set(token, reply.credential);
      if (wasAccepted(reply)) this.lastAccepted.set(token, reply.id);
    }
  }

  /** The configured credential behind a token; undefined where it is none of a live user. */
  rootOf = (token: string | undefined): string | undefined =>
    token === undefined ? undefined : (this.made.get(token)?.root ?? this.configured.get(token));

  lifeOf = (token: string | undefined): Life | undefined => (token === undefined ? undefined : this.made.get(token));

  /** It was made, or accepted later, and nothing had been done that may end it before the reply came. */
  isLive(token: string, reply: Reply): boolean {
    const life = this.made.get(token);
    const isKnown = life === undefined ? (this.lastAccepted.get(token) ?? 0) > reply.id : life.born.id <= reply.after;
    return isKnown && !this.mayHaveEnded(token, reply);
  }

  /** Somebody had asked for its revocation, or for that of a key that it comes of: whether it outlives those is not said. */
  private mayHaveEnded(token: string, reply: Reply): boolean {
    const life = this.made.get(token);
    if (life === undefined) return false;
    const maker = tokenOf(life.born);
    const isAsked = life.attempts.some(({ after }) => after < reply.id);
    return isAsked || (maker !== undefined && this.mayHaveEnded(maker, reply));
  }

  /** Nobody had asked for the revocation of the key that it comes of, or of one before that. */
  isOfLivingMaker({ born }: Life, reply: Reply): boolean {
    const maker = tokenOf(born);
    return maker === undefined || !this.mayHaveEnded(maker, reply);
  }

  /** Its revocation had been confirmed when the request was sent. */
  isDead(token: string, { after }: Reply): boolean {
    const end = this.made.get(token)?.end;
    return end !== undefined && end.id <= after;
  }
}
