// What may become of one request on its way and of its reply: each a function, drawn upon by the kinds.
import { NoReply, type WireReply } from '../../lib/client/transports/transport.ts';
import type { Random } from '../../lib/runtime/random.ts';

/** A request on its way. */
interface Passing {
  readonly method: string;
  /** It has an Idempotency-Key. */
  readonly keyed: boolean;
  readonly timeoutMs: number;
  readonly random: Random;
  /** To the target, and its reply. */
  forward(): Promise<WireReply>;
  pause(ms: number): Promise<void>;
}

export type Disturbance = (passing: Passing) => Promise<WireReply>;

const reset = 'the connection was reset';

/** A reply that comes later than the client waits is none. */
async function late({ pause, timeoutMs }: Passing, ms: number, reply: WireReply): Promise<WireReply> {
  await pause(Math.min(ms, timeoutMs));
  if (ms >= timeoutMs) throw new NoReply(`no reply within ${timeoutMs} ms`);
  return reply;
}

export const resetBefore: Disturbance = async () => {
  throw new NoReply(reset);
};

export const resetAfter: Disturbance = async ({ forward }) => {
  await forward();
  throw new NoReply(reset);
};

export const refused: Disturbance = async () => {
  throw new NoReply('nothing listens there (connection refused)');
};

export const staleConnection: Disturbance = async () => {
  throw new NoReply('the connection was closed before a reply came');
};

/** The request never arrives, and nobody says so. */
export const hang: Disturbance = async ({ pause, timeoutMs }) => {
  await pause(timeoutMs);
  throw new NoReply(`no reply within ${timeoutMs} ms`);
};

/** Carried out, and the reply is lost without a word. */
export const hangAfter: Disturbance = async (passing) => {
  await passing.forward();
  return hang(passing);
};

/** The body stops before its length is reached: a client knows that it is cut. */
export const cut: Disturbance = async ({ forward }) => {
  await forward();
  throw new NoReply('the reply broke off in the middle');
};

/** The body stops, and nothing said how long it was to be: a client sees a whole reply. */
export const cutWithoutLength: Disturbance = async ({ forward, random }) => {
  const { body, ...reply } = await forward();
  return { ...reply, body: body.slice(0, random.int(0, Math.max(0, body.length - 1))) };
};

/** A few bytes a second. */
export const drip: Disturbance = async (passing) =>
  late(passing, passing.random.int(2_000, 12_000), await passing.forward());

/** Stops for long in the middle, and comes at last, mostly. */
export const stall: Disturbance = async (passing) =>
  late(passing, passing.random.int(7_000, 10_500), await passing.forward());

export const jitter: Disturbance = async (passing) =>
  late(passing, passing.random.int(50, 2_500), await passing.forward());

/** Waits on its way, so that a later one arrives earlier. */
export const reordered: Disturbance = async ({ pause, random, forward }) => {
  await pause(random.int(20, 900));
  return forward();
};

/** Arrives twice where whatever stands between may repeat it; the client gets the first reply, or the second to a read. */
export const duplicate: Disturbance = async ({ method, keyed, forward }) => {
  const first = await forward();
  if (method === 'POST' && !keyed) return first;
  const second = await forward();
  return method === 'GET' ? second : first;
};

/** Somebody else's words in place of the target's, which never hears of the request. */
export const instead =
  (reply: (number: number) => WireReply): Disturbance =>
  async ({ random }) =>
    reply(random.int(0, 999_999));

/** Carried out, and somebody else's words in place of the reply. */
export const insteadAfter =
  (reply: (number: number) => WireReply): Disturbance =>
  async ({ forward, random }) => {
    await forward();
    return reply(random.int(0, 999_999));
  };
