// What a requirement is: one statement of the interface document, its level and where it stands.

/** `must`: the document says it. `should`: it recommends it. `observe`: it is silent. `untestable`: no run from outside can show it. */
export type Level = 'must' | 'should' | 'observe' | 'untestable';

export interface Row<L extends Level = Level> {
  readonly level: L;
  /** One sentence; for `observe` a question. */
  readonly statement: string;
  /** What a client developer suffers where it does not hold. */
  readonly impact?: string;
  /** Identifiers in the register of rulings (`lib/catalogue/rulings.ts`). */
  readonly rulings?: readonly string[];
  /** Only on `untestable`: why not. */
  readonly reason?: string;
}

export interface Requirement<L extends Level = Level> extends Row<L> {
  readonly area: Area;
  /** The heading of the interface document, parents first: `Endpoints / Billing`. */
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

/** Of a rule of one's own: such identifiers are never the document's. */
export type OwnId = `x-${string}`;
export type OwnRows = Readonly<Record<OwnId, Row>>;

/** A rule of one's own, as a run sees it: apart from the document's headings. */
export interface OwnRequirement extends Row {
  readonly area: 'own';
  readonly section: string;
}

type Judged = Pick<Row, 'impact' | 'rulings'>;
type Ruled = Pick<Row, 'rulings'>;

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
export const untestable = (statement: string, reason: string): Row<'untestable'> => ({
  level: 'untestable',
  statement,
  reason,
});

/** The rows under one heading of the document, each keyed by its identifier `<area>-<operation or record>-<fact>`. */
export function requirements<const Rows extends Record<string, Row>>(
  area: Area,
  section: string,
  rows: Rows,
): { readonly [Id in keyof Rows]: Requirement<Rows[Id]['level']> } {
  const filed = Object.entries(rows).map(([id, row]) => [id, { area, section, ...row }]);
  return Object.fromEntries(filed);
}
