// The real parts of the command line: this suite with the digest of its code, the network, the bundled reference, the
// machine's clock.
import { createHash, randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReference, serveReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import type { Case, Invariant } from '../case.ts';
import { catalogue, catalogueDigest, rulings } from '../catalogue/index.ts';
import { defaultLimits } from '../catalogue/operations.ts';
import { handlerTransport } from '../client/transports/handler.ts';
import { liveTransport } from '../client/transports/live.ts';
import type { Transport } from '../client/transports/transport.ts';
import { credentialNames, type Settings, type Target, targetDefaults } from '../configuration/settings.ts';
import type { Probed } from '../doctor/diagnose.ts';
import { controlsOf } from '../evidence/controls.ts';
import { openapi } from '../openapi/document.ts';
import type { Plan, Report, RunResult } from '../result.ts';
import { planCases } from '../run/plan.ts';
import { accountsOf } from '../run/plan-accounts.ts';
import { bounds, forecast } from '../run/plan-estimate.ts';
import { run } from '../run/run.ts';
import { select } from '../run/selection.ts';
import { onEmptyLoop, wallClock } from '../runtime/clock.ts';
import { defined, picked } from '../runtime/defined.ts';
import { seededRandom } from '../runtime/random.ts';
import { version } from '../runtime/version.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { exampleOf } from './examples.ts';
import type { Examination, Listening, Parts, ServeChoices, Tested } from './parts.ts';

async function examine(examination: Examination): Promise<RunResult> {
  const { recording, signal, network, own = [], clock, ...rest } = examination;
  const transport = liveTransport(network);
  const send: Transport = clock ? (sent, limits) => clock.during(() => transport.send(sent, limits)) : transport.send;
  const seam = { transport: send, clock: clock ?? wallClock, signal };
  try {
    return await run({ ...rest, ...seam, ...recording?.input, suites: [...suites, ...own], onStandstill: onEmptyLoop });
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
  return {
    everyReply: own.some(({ kind }) => kind === 'invariant'),
    cases: cases.length,
    writes: cases.some(({ writes }) => writes !== undefined),
    exhausts: cases.some(({ exhausts }) => exhausts ?? false),
  };
}

const operationsOf = (requirement: string): readonly string[] => [
  ...new Set(casesOf(requirement).flatMap((one) => (one.kind === 'case' ? [one.visits ?? []].flat() : one.over))),
];

const description = (baseUrl: string) => openapi({ baseUrl, operationsOf });

async function serve({ limits, ...choices }: ServeChoices): Promise<Listening> {
  const tiers = limits && { starter: limits, standard: limits, business: limits };
  const started: Listening = await serveReference({
    ...choices,
    ...(tiers && { tiers }),
    beside: async (request) => routesOutsideInterface(request, started),
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
  needsOf: (requirement) =>
    casesOf(requirement).flatMap((one) =>
      one.kind === 'case' && !one.perhaps?.some((id) => id === requirement) ? (one.needs ?? []) : [],
    ),
  operationsOf,
  testOf,
  example: exampleOf,
  examine,
  bounds: (settings, ...more) => bounds(select(suites, settings), settings, ...more),
  forecast: forecastOf,
  dryRun,
  connect: liveTransport,
  controls: (evidence, onShown) => controlsOf(evidence, suites, onShown),
  openapi: description,
  serve,
});

/** The target as configured, with the reference's own secret in place of each that is set. */
function dryRunTarget(target: Target, env: Readonly<Record<string, string>>): Target {
  const names = credentialNames.filter((name) => target.credentials[name] !== undefined);
  return {
    ...targetDefaults,
    baseUrl: 'http://dry-run.invalid',
    credentials: picked(names, env),
    ...defined({ foreignSlug: target.foreignSlug && env.COVENANT_FOREIGN_SLUG }),
    minuteMs: target.minuteMs,
  };
}

/**
 * The report of a run that sends nothing. Every account of a target is taken to have the limits that are configured, or
 * else the document's defaults, and only the credentials that it has are there.
 */
async function dryRun(settings: Settings, target: Target): Promise<Report> {
  const clock = virtualClock();
  const limits = { ...defaultLimits, ...target.limits };
  const tiers = { starter: limits, standard: limits, business: limits };
  const { handler, env } = await createReference({ clock: clock.inside, minuteMs: target.minuteMs, tiers });
  const transport = handlerTransport(handler, clock);
  const assumed = dryRunTarget(target, env);
  const { report } = await run({ suites, settings, transport, clock, target: assumed });
  return report;
}

/** What a run would cost, once it is known what the probe has shown. */
async function forecastOf(settings: Settings, { connection, statuses }: Probed): Promise<Plan> {
  const { cases } = select(suites, settings);
  const accounts = await accountsOf(statuses, connection, cases);
  const plan = planCases({ cases, effort: settings.effort, accounts, random: seededRandom(settings.seed) });
  return forecast({ cases, plan, settings, accounts, statuses }, connection);
}

/** Undefined if the request belongs to the interface. */
async function routesOutsideInterface(request: Request, sandbox: Listening): Promise<Response | undefined> {
  if (request.method !== 'GET') return undefined;
  const { pathname } = new URL(request.url);
  return pathname === '/openapi.json' ? Response.json(description(sandbox.url)) : undefined;
}

const packages = ['ajv', 'ajv-formats', 'fast-check', 'p-limit'] as const;
/** Code that only shows a verdict does not change the digest. */
const displaysOnly = /^lib\/(?:cli|evidence|gate|openapi|report|reproduce|runner)\//;

const root = fileURLToPath(new URL('../../', import.meta.url));
const decides = (file: string): boolean =>
  /\.(?:[jt]s|json)$/.test(file) && !/\.d\.ts$|\.test(?:-data)?\.[jt]s$/.test(file) && !displaysOnly.test(file);

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(decides);

/** The version of a package, from the manifest above the file that is imported. */
function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  for (let folder = dirname(require.resolve(name)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    const found: { name?: string; version?: string } = existsSync(manifest)
      ? JSON.parse(readFileSync(manifest, 'utf8'))
      : {};
    if (found.name === name) return `${name} ${found.version}`;
    if (folder === dirname(folder)) throw new Error(`${name} has no manifest`);
  }
}

/** SHA-256 in hexadecimal; the same wherever the same package is installed. */
function ownCode(): string {
  const hash = createHash('sha256');
  for (const file of ['lib', 'schemas', 'suites'].flatMap(filesIn).sort())
    hash.update(`${file}\n${readFileSync(join(root, file), 'utf8')}\n`);
  for (const name of packages) hash.update(`${versionOf(name)}\n`);
  return hash.digest('hex');
}
