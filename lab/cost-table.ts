// What each case costs, measured by runs against the reference in this process and on virtual time.
import type { Case } from '../lib/case.ts';
import { type OperationId, operations, type RateClass } from '../lib/catalogue/operations.ts';
import { type Effort, efforts } from '../lib/configuration/settings.ts';
import type { ReportedExchange } from '../lib/result.ts';
import type { Cost, Payer } from '../lib/run/cost.ts';
import { select } from '../lib/run/selection.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, examine } from './examine.ts';

const documented = { read: 200, write: 30, validate: 10 };
const spareOn = 'COVENANT_API_KEY_SECONDARY';
const payerOf: Readonly<Record<string, Payer>> = {
  COVENANT_API_KEY: 'primary',
  COVENANT_API_KEY_RESTRICTED: 'primary',
  [spareOn]: 'secondary',
  COVENANT_JWT: 'session',
  COVENANT_RATE_API_KEY: 'exhaustible',
  COVENANT_RATE_API_KEY_SIBLING: 'exhaustible',
};
const cleanUp = 'clean-up';
const kindsThatStay = { 'POST /companies': 'companies', 'POST /contacts': 'contacts' } as const;

type Counted = { -readonly [Key in keyof Cost]: Cost[Key] };

const rateOf = ({ operation, request }: ReportedExchange): RateClass => {
  if (operation !== undefined) return operations[operation as OperationId].rate;
  return request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
};

const isAccepted = ({ response }: ReportedExchange): boolean => response.status >= 200 && response.status < 300;

/** The path under which what was made is deleted; undefined where nothing was. */
function deletionOf(made: ReportedExchange): string | undefined {
  if (made.request.method !== 'POST' || !isAccepted(made)) return undefined;
  const id: unknown = /"(?:id|note_id)":\s*(\d+)/.exec(made.response.body)?.[1];
  return id === undefined ? undefined : `${new URL(made.request.url).pathname}/${String(id)}`;
}

/** A key that was made pays for its maker. */
function payersIn(transcript: readonly ReportedExchange[]): (credential: string) => Payer | undefined {
  const made = new Map<string, string>();
  for (const one of transcript) {
    const id = one.operation === 'POST /api-keys' ? deletionOf(one)?.split('/').at(-1) : undefined;
    if (id !== undefined) made.set(`MADE_KEY_${id}`, one.request.credential);
  }
  const payer = (credential: string): Payer | undefined => {
    const maker = made.get(credential);
    return maker === undefined ? payerOf[credential] : payer(maker);
  };
  return payer;
}

/** What one run cost, by the title of the case. */
function costsIn(transcript: readonly ReportedExchange[], spares: ReadonlySet<string>): Map<string, Cost> {
  const found = new Map<string, Counted>();
  const maker = new Map<string, string>();
  const payer = payersIn(transcript);
  for (const one of transcript) {
    const deleted = maker.get(`${new URL(one.request.url).pathname}`);
    const title = one.case === cleanUp ? (deleted ?? cleanUp) : (one.case ?? '');
    const cost = found.get(title) ?? {};
    found.set(title, cost);
    const path = deletionOf(one);
    if (path !== undefined) maker.set(path, title);
    // A dead key belongs to no account.
    const paidBy = one.response.status === 401 ? undefined : payer(one.request.credential);
    count(cost, one, paidBy, spares.has(title));
  }
  return found;
}

function count(cost: Counted, one: ReportedExchange, payer: Payer | undefined, spare: boolean): void {
  const rate = rateOf(one);
  if (rate === 'validate') cost.validations = (cost.validations ?? 0) + 1;
  else if (payer !== undefined) {
    const by = spare && payer === 'secondary' ? 'spare' : payer;
    const [writes, reads] = cost[by] ?? [0, 0];
    cost[by] = rate === 'write' ? [writes + 1, reads] : [writes, reads + 1];
  }
  const stays = kindsThatStay[one.operation as keyof typeof kindsThatStay];
  if (stays !== undefined && isAccepted(one)) cost[stays] = (cost[stays] ?? 0) + 1;
}

const needsSpare = ({ needs = [] }: Case): boolean => needs.includes('spare') || needs.includes('spareCompany');

async function measured(effort: Effort): Promise<Map<string, Cost>> {
  const settings = { ...defaultSettings, effort };
  const { titles } = select(suites, settings);
  const spares = [...titles].filter(([one]) => needsSpare(one)).map(([, title]) => title);
  const { transcript } = await examine({
    settings,
    reference: { tiers: { starter: documented, standard: documented, business: documented } },
    spareOn,
  });
  return costsIn(transcript, new Set(spares));
}

/** A case of so many requests goes a long way that depends on what all others do, and so on this very table. */
const longWay = 1000;
const sumOf = (cost: Cost): number =>
  Object.values(cost)
    .flat()
    .reduce((sum: number, one) => sum + one, 0);
const near = (value: number): number => {
  const step = value > 150 ? 400 : 20;
  return Math.max(step, step * Math.round(value / step));
};
/** Otherwise a new table would change the order of the cases, and their order the table, without an end. */
const textOf = (cost: Cost = {}): string =>
  JSON.stringify(cost, (_, value: unknown) =>
    typeof value === 'number' && sumOf(cost) > longWay ? near(value) : value,
  );

/** The text of lib/run/costs.ts. */
export async function costsText(): Promise<string> {
  const measurements: Map<string, Cost>[] = [];
  for (const effort of efforts) measurements.push(await measured(effort));
  const titles = [...new Set(measurements.flatMap((one) => [...one.keys()]))].sort();
  const rows = titles.map((title) => {
    const columns = measurements.map((one) => textOf(one.get(title)));
    return `  ${JSON.stringify(title)}: [${columns.join(', ')}],\n`;
  });
  return [
    '// What each case costs in a quick, a standard and a thorough run. Generated by `npm run costs`; not to be edited.\n',
    "import type { CostTable } from './cost.ts';\n\n",
    'export const costs: CostTable = {\n',
    ...rows,
    '};\n',
  ].join('');
}
