// The transport into a handler in this process, on virtual time: no socket, no waiting.
import { defined } from '../../runtime/defined.ts';
import type { VirtualClock } from '../../runtime/virtual-clock.ts';
import type { Sent } from '../reply.ts';
import { NoReply, type Transport, type WireReply } from './transport.ts';

export type Handler = (request: Request) => Promise<Response>;

/** What breaks the connection, in a server of sockets: a handler that throws, or a body that was handed out before. */
const brokenOff = (error: unknown): never => {
  throw new NoReply(`the connection broke off: ${error instanceof Error ? error.message : String(error)}`);
};

/** As it came: `text()` would leave a byte order mark out. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

async function answered(handler: Handler, { url, method, headers, body }: Sent): Promise<WireReply> {
  const response = await handler(new Request(url, { method, headers, ...defined({ body }) }));
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: decoder.decode(await response.arrayBuffer()),
  };
}

/** A handler that outlasts the timeout gives no reply. */
export function handlerTransport(handler: Handler, clock: VirtualClock): Transport {
  return (sent, { timeoutMs }) =>
    clock.during(async () => {
      const started = clock.now();
      const wire = await answered(handler, sent).catch(brokenOff);
      if (clock.now() - started > timeoutMs) throw new NoReply(`no reply within ${timeoutMs} ms`);
      return wire;
    });
}
