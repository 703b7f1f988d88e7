// What a requirement is: one statement of the interface document, its level and where it stands.

/** `must`: the document says it. `should`: it recommends it. `observe`: it is silent. `untestable`: no run from outside can show it. */
export type Level = 'must' | 'should' | 'observe' | 'untestable';

export interface Row<L extends Level = Level> {
  readonly level: L;
  /** One sentence; for `observe` a question. */
  readonly statement: string;
  /** The effect on a client developer if it does not hold. */
  readonly impact?: string;
  /** Identifiers in the register of rulings (`lib/catalogue/rulings.ts`). */
  readonly rulings?: readonly string[];
  /** Only on `untestable`: why not. */
  readonly reason?: string;
  /** Its place in the document, if another than that of the rows around it. */
  readonly at?: string | undefined;
}

export interface Requirement<L extends Level = Level> extends Omit<Row<L>, 'at'> {
  readonly area: Area;
  /** The place in the interface document: headings, parents first, and what stands there: `Limits / Pagination, rule 3`. */
  readonly section: string;
}

/** The headings under which requirements, suites and mutants are kept, in the document's order. */
export const areas = [
  'envelope',
  'errors',
  'authentication',
  'account',
  'api-keys',
  'public',
  'billing',
  'companies',
  'notes',
  'contacts',
  'pagination',
  'idempotency',
  'rate-limits',
] as const;
export type Area = (typeof areas)[number];

/** The identifier of an own rule: never the document's. */
export type OwnId = `x-${string}`;
export type OwnRows = Readonly<Record<OwnId, Row>>;

/** An own rule, as a run sees it: outside the document's headings. */
export interface OwnRequirement extends Omit<Row, 'at'> {
  readonly area: 'own';
  readonly section: string;
}

type Judged = Pick<Row, 'impact' | 'rulings' | 'at'>;
type Ruled = Pick<Row, 'rulings' | 'at'>;

export const must = (statement: string, more: Judged = {}): Row<'must'> => ({ level: 'must', statement, ...more });
export const should = (statement: string, more: Judged = {}): Row<'should'> => ({
  level: 'should',
  statement,
  ...more,
});
export const observe = (statement: string, more: Ruled = {}): Row<'observe'> => ({
  level: 'observe',
  statement,
  ...more,
});
export const untestable = (statement: string, reason: string, at?: string): Row<'untestable'> => ({
  level: 'untestable',
  statement,
  reason,
  at,
});

/** The rows at one place of the document, each keyed by its identifier `<area>-<operation or record>-<fact>`. */
export function requirements<const Rows extends Record<string, Row>>(
  area: Area,
  section: string,
  rows: Rows,
): { readonly [Id in keyof Rows]: Requirement<Rows[Id]['level']> } {
  const filed = Object.entries(rows).map(([id, { at = section, ...row }]) => [id, { area, section: at, ...row }]);
  return Object.fromEntries(filed);
}

export interface Ruling {
  readonly question: string;
  /** The defensible readings. */
  readonly readings: readonly string[];
  readonly ruling: string;
  readonly why: string;
}

/** Keeps the slugs of a register as literal types and checks its entries. */
export const register = <const Entries extends Record<string, Ruling>>(entries: Entries): Entries => entries;
