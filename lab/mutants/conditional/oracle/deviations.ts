// Where a lawful server goes another way than the honest one, and leaves other records behind: the session is then recorded anew, going that way too.
import type { Handler } from '../../../reference/index.ts';
import { isObject } from '../../wrappers/json.ts';
import { altered, refusal } from '../../wrappers/mutator.ts';
import type { Kept } from '../condition.ts';
import { parsed } from './envelope.ts';
import type { Exchange } from './exchange.ts';
import type { Pairs } from './pairs.ts';

/** `anew`: a repeated creation is carried out again. `refused`: a write is refused, and has done nothing. */
export type Deviation = 'anew' | 'refused';
/** By the place of the exchange, from 0. */
export type Deviations = ReadonlyMap<number, Deviation>;

/** idempotency-levels: that a repeat makes no second record is a must for notes only. */
const creations: Readonly<Record<string, 'company' | 'contact'>> = {
  'POST /companies': 'company',
  'POST /contacts': 'contact',
};

const idIn = (json: unknown): unknown => (isObject(json) && isObject(json.data) ? json.data.id : undefined);

/** The other way that a reply shows; undefined: none. */
export function deviationOf(
  { sent, operation, reply, json }: Exchange,
  other: Kept,
  pairs: Pairs,
): Deviation | undefined {
  if (sent.method === 'GET' || reply.status >= 300) return undefined;
  if (sent.repeat !== true) return sent.also?.includes(other.status) === true ? 'refused' : undefined;
  const kind = creations[operation];
  const second = idIn(parsed(other.text));
  const isAnother = typeof second === 'number' && pairs.value(kind ?? 'note', String(idIn(json))) !== String(second);
  return kind !== undefined && other.status === 201 && isAnother ? 'anew' : undefined;
}

/** The honest server, going these ways; `place` is that of the request. */
export const deviating =
  (honest: Handler, deviations: Deviations, place: () => number): Handler =>
  async (request) => {
    const deviation = deviations.get(place());
    if (deviation === 'refused') return refusal(422, 'INVALID', 'It is refused');
    if (deviation === undefined) return honest(request);
    return honest(await altered({ request, url: new URL(request.url) }, { headers: { 'idempotency-key': null } }));
  };

/** The exchange as it is judged where the server has gone that way. */
export function deviated(exchange: Exchange, deviation: Deviation | undefined): Exchange {
  if (deviation === undefined) return exchange;
  const { sent } = exchange;
  return { ...exchange, sent: deviation === 'refused' ? { ...sent, judged: 'refused' } : { ...sent, repeat: false } };
}
