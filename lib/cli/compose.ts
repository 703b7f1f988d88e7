// The parts that the command line really uses: this suite, the network, the bundled reference, the machine's clock.
import { randomInt } from 'node:crypto';
import { serveReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import type { Case, Invariant } from '../case.ts';
import { catalogue, catalogueDigest } from '../catalogue/index.ts';
import { rulings } from '../catalogue/rulings.ts';
import { liveTransport } from '../client/transports/live.ts';
import type { Transport } from '../client/transports/transport.ts';
import { openapi } from '../openapi/document.ts';
import type { RunResult } from '../result.ts';
import { bounds, dearest } from '../run/plan-estimate.ts';
import { run } from '../run/run.ts';
import { select } from '../run/selection.ts';
import { wallClock } from '../runtime/clock.ts';
import { onEmptyLoop } from '../runtime/event-loop.ts';
import { version } from '../runtime/version.ts';
import { runControls } from './controls.ts';
import { exampleOf } from './example.ts';
import { exchangesOfReference } from './openapi-examples.ts';
import { ownCode } from './own-code.ts';
import type { Examination, Listening, Parts, ServeChoices, Tested } from './parts.ts';
import { dryRun, forecastOf } from './plan.ts';
import { besideInterface } from './sandbox-pages.ts';

async function examine(examination: Examination): Promise<RunResult> {
  const { recording, signal, network, own = [], clock, ...rest } = examination;
  const transport = liveTransport(network);
  const send: Transport = clock ? (sent, limits) => clock.during(() => transport.send(sent, limits)) : transport.send;
  const seam = { transport: send, clock: clock ?? wallClock, signal };
  try {
    const way = recording ? recording.through(seam) : seam;
    return await run({ ...rest, suites: [...suites, ...own], ...way, onStandstill: onEmptyLoop });
  } finally {
    await transport.close();
  }
}

const casesOf = (requirement: string): readonly (Case | Invariant)[] =>
  suites.flatMap(({ cases }) =>
    cases.filter((one) => (one.kind === 'case' ? one.ids.some((id) => id === requirement) : one.id === requirement)),
  );

function testOf(requirement: string): Tested {
  const own = casesOf(requirement);
  const cases = own.filter((one) => one.kind === 'case');
  const shared = new Map<string, number>();
  for (const id of cases.flatMap(({ ids }) => ids)) shared.set(id, (shared.get(id) ?? 0) + 1);
  shared.delete(requirement);
  return {
    everyReply: own.some(({ kind }) => kind === 'invariant'),
    cases: cases.length,
    writes: cases.some(({ writes }) => writes !== undefined),
    exhausts: cases.some(({ exhausts }) => exhausts ?? false),
    companions: [...shared].sort(([, one], [, other]) => other - one).map(([id]) => id),
  };
}

const operationsOf = (requirement: string): readonly string[] => [
  ...new Set(casesOf(requirement).flatMap((one) => (one.kind === 'case' ? [one.visits ?? []].flat() : one.over))),
];

const description = async (baseUrl: string) =>
  openapi({ baseUrl, exchanges: await exchangesOfReference(), operationsOf });

async function serve({ limits, ...choices }: ServeChoices): Promise<Listening> {
  const tiers = limits && { starter: limits, standard: limits, business: limits };
  const started: Listening = await serveReference({
    ...choices,
    ...(tiers && { tiers }),
    beside: async (request) => besideInterface(request, started, description),
  });
  return started;
}

export const compose = (): Parts => ({
  version,
  digest: catalogueDigest(),
  judge: () => ({ suites, own: { version, catalogue: catalogueDigest(), code: ownCode() } }),
  catalogue,
  rulings,
  clock: wallClock,
  freshSeed: () => randomInt(2 ** 32),
  needsOf: (requirement) => casesOf(requirement).flatMap((one) => (one.kind === 'case' ? (one.needs ?? []) : [])),
  operationsOf,
  testOf,
  example: exampleOf,
  examine,
  bounds: (settings, ...more) => bounds(select(suites, settings), settings, ...more),
  dearest: (settings) => dearest(select(suites, settings), settings),
  forecast: (settings, probed) => forecastOf(suites, settings, probed),
  dryRun: (settings, target) => dryRun(suites, settings, target),
  connect: liveTransport,
  controls: runControls,
  openapi: description,
  serve,
});
