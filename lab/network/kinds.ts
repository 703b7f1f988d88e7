// The kinds of bad network, one row each: what happens, and when.
import {
  cut,
  cutWithoutLength,
  type Disturbance,
  drip,
  duplicate,
  hang,
  hangAfter,
  instead,
  insteadAfter,
  jitter,
  refused,
  reordered,
  resetAfter,
  resetBefore,
  staleConnection,
  stall,
} from './disturbances.ts';
import {
  cloudJson,
  contentNetwork,
  internalPage,
  limiterEnvelope,
  limiterPage,
  namedJson,
  nginx,
  plainJson,
  proxyTimeout,
  sidecar,
} from './gateways.ts';

/** `rate`: any request, now and then; `outage`: every request for a time; `idle`: the first after a pause; `keys`: key creations. */
type Occasion = 'rate' | 'outage' | 'idle' | 'keys';

export interface Kind {
  readonly id: string;
  readonly occasion: Occasion;
  readonly disturb: Disturbance;
  /** Only for outages: how long they may last, in seconds; one a schedule. */
  readonly seconds?: readonly number[];
  /** Whose clock is wrong, for the time of an outage or always, and by how many milliseconds. */
  readonly jump?: { readonly whose: 'target' | 'ours'; readonly ms: number };
}

const outages = [1, 2, 3, 5, 10, 20, 30, 45, 60];
const rate = (id: string, disturb: Disturbance): Kind => ({ id, occasion: 'rate', disturb });
const outage = (id: string, disturb: Disturbance, seconds = outages): Kind => ({
  id,
  occasion: 'outage',
  disturb,
  seconds,
});
const untouched: Disturbance = ({ forward }) => forward();
/** For good, as far as a run is concerned. */
const forGood = [1_000_000];
const day = 86_400_000;

export const kinds: readonly Kind[] = [
  rate('reset-before', resetBefore),
  rate('reset-after', resetAfter),
  rate('hang', hang),
  rate('hang-after', hangAfter),
  rate('cut', cut),
  rate('cut-without-length', cutWithoutLength),
  rate('drip', drip),
  rate('stall', stall),
  rate('jitter', jitter),
  rate('duplicate', duplicate),
  rate('reordered', reordered),
  { id: 'stale-keep-alive', occasion: 'idle', disturb: staleConnection },
  rate(
    'nginx-502',
    instead(() => nginx(502)),
  ),
  rate(
    'nginx-503',
    instead(() => nginx(503)),
  ),
  rate(
    'nginx-504',
    instead(() => nginx(504)),
  ),
  rate(
    '504-after',
    insteadAfter(() => nginx(504)),
  ),
  rate(
    '502-after',
    insteadAfter(() => nginx(502)),
  ),
  rate(
    'json-502',
    instead(() => plainJson(502)),
  ),
  rate(
    'json-503-cloud',
    instead(() => cloudJson(503)),
  ),
  rate(
    'json-502-named',
    instead(() => namedJson(502)),
  ),
  rate(
    'json-504-named-after',
    insteadAfter(() => namedJson(504)),
  ),
  rate('text-503-sidecar', instead(sidecar)),
  rate('520-to-526', instead(contentNetwork)),
  rate('520-to-526-after', insteadAfter(contentNetwork)),
  rate('proxy-408', instead(proxyTimeout)),
  rate('html-500', instead(internalPage)),
  rate('html-429', instead(limiterPage)),
  outage('outage-refused', refused),
  outage('outage-hang', hang),
  outage(
    'outage-nginx-502',
    instead(() => nginx(502)),
  ),
  outage('outage-sidecar-503', instead(sidecar)),
  outage(
    'outage-cloud-503',
    instead(() => cloudJson(503)),
  ),
  outage('gone-for-good-refused', refused, forGood),
  outage(
    'gone-for-good-502',
    instead(() => nginx(502)),
    forGood,
  ),
  outage('limiter-in-front', instead(limiterEnvelope), [1, 3, 10]),
  outage('limiter-in-front-html', instead(limiterPage), [1, 3, 10, 30]),
  // For good: what was made meanwhile would stand in the future afterwards, and no list is ordered any more.
  { ...outage('clock-jumps-ahead', untouched, forGood), jump: { whose: 'target', ms: 600_000 } },
  { ...outage('clock-steps-back', untouched, [30, 300]), jump: { whose: 'target', ms: -3_000 } },
  { ...outage('our-clock-jumps-ahead', untouched, forGood), jump: { whose: 'ours', ms: 600_000 } },
  { ...outage('our-clock-jumps-back', untouched, forGood), jump: { whose: 'ours', ms: -600_000 } },
  { id: 'clock-a-day-behind-lost-keys', occasion: 'keys', disturb: resetAfter, jump: { whose: 'target', ms: -day } },
];
