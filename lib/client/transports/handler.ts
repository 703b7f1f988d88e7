// The transport into a handler in this process, on virtual time: no socket, no waiting.

import { defined } from '../../runtime/defined.ts';
import type { VirtualClock } from '../../runtime/virtual-clock.ts';
import { NoReply, type Transport } from './transport.ts';

export type Handler = (request: Request) => Promise<Response>;

/** A handler that throws is a server that breaks the connection; one that outlasts the timeout gives no reply. */
export function handlerTransport(handler: Handler, clock: VirtualClock): Transport {
  return (sent, { timeoutMs }) =>
    clock.during(async () => {
      const started = clock.now();
      const { method, headers, body } = sent;
      const response = await handler(new Request(sent.url, { method, headers, ...defined({ body }) })).catch(
        (error: unknown) => {
          throw new NoReply(`the connection broke off: ${error instanceof Error ? error.message : String(error)}`);
        },
      );
      const text = await response.text();
      if (clock.now() - started > timeoutMs) throw new NoReply(`no reply within ${timeoutMs} ms`);
      return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
    });
}
