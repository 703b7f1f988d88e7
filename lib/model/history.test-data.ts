// Histories for tests of rules: exchanges ten seconds apart, so that list lag plays no part.
import type { OperationId } from '../catalogue/operations.ts';
import type { Reply } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';
import type { History } from './history.ts';

const key = 'COVENANT_API_KEY';

export interface Exchange {
  readonly operation: OperationId;
  readonly path: string;
  readonly body?: unknown;
  readonly status?: number;
  readonly json?: unknown;
  /** Sent with an Idempotency-Key that was used before. */
  readonly mayReplay?: true;
  /** The document does not say what part of the request does. */
  readonly undocumented?: true;
  /** How many replies there were when it was sent; default: all before it. */
  readonly after?: number;
  /** Milliseconds; default: ten seconds per exchange. */
  readonly at?: number;
  /** Default: COVENANT_API_KEY. The name is also the token. */
  readonly credential?: string;
  /** X-Active-Account. */
  readonly account?: string;
  /** A fresh Idempotency-Key. */
  readonly key?: string;
  /** Over the usual ones; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The whole body where it is no JSON. */
  readonly text?: string;
}

export const historyOf = (...exchanges: readonly Exchange[]): History => ({
  lost: [],
  replies: exchanges.map(
    (
      { operation, path, body, status = 200, json, at: moment, account, key: keyed, credential = key, ...more },
      index,
    ): Reply => {
      const { headers: given, text = JSON.stringify(body), ...others } = more;
      const url = `https://target.test/api/external/v2${path}`;
      const method = operation.split(' ')[0] ?? 'GET';
      const headers = defined({
        ...{ 'x-origin-app': 'covenant', 'content-type': 'application/json', authorization: `Bearer ${credential}` },
        ...(account === undefined ? {} : { 'x-active-account': account }),
        ...(keyed === undefined ? {} : { 'idempotency-key': keyed }),
        ...given,
      }) as Readonly<Record<string, string>>;
      const request = { method, url, headers, ...defined({ body: text }) };
      const at = moment ?? index * 10_000;
      const times = { id: index + 1, after: index, sentAt: at, receivedAt: at + 10 };
      return {
        ...times,
        operation,
        request,
        status,
        json,
        credential,
        ...others,
        owner: 'case',
        headers: {},
        text: '',
      };
    },
  ),
});
