// An exchange as options of curl: credentials and created records come from variables, everything else is as it was
// sent.
import { apiPath } from '../catalogue/operations.ts';
import { credentialNames } from '../configuration/settings.ts';
import { isHeaderVariable } from '../configuration/variables.ts';
import type { ReportedExchange } from '../result.ts';
import type { Derivation, Piece } from '../secrets/derivation.ts';
import { namesIn, routeOf } from './origins.ts';
import { type Part, replaced, word } from './shell.ts';

export type Derivations = Readonly<Record<string, Derivation>>;

/** The variables that replace the values of one run in another. */
export interface Variables {
  readonly derivations: Derivations;
  /** Shell variables by Idempotency-Key. */
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * Maps every letter and digit to another of its kind, far enough away that the unused bits at the end of a JWT do not
 * hide the change.
 */
const another = "tr 'A-Za-z0-9_-' 'N-ZA-Mn-za-m5-90-4AB'";

/** The one changed character between two pieces of a secret: a fixed one may occur in another key already. */
function changed(literal: string, before: Piece | undefined, after: Piece | undefined): Part | undefined {
  const [head, tail] = [before, after].map((one) => (typeof one === 'string' ? undefined : one));
  const { of, part } = tail ?? head ?? {};
  if (literal.length !== 1 || of === undefined || (head && (head.of !== of || head.part !== part))) return undefined;
  const at = head?.to === undefined ? 1 : head.to + 1;
  const isLast = tail === undefined && head?.to === -1;
  if (!isLast && tail?.from !== at + 1) return undefined;
  const cuts = [
    ...(part === undefined ? [] : [`cut -d. -f${part}`]),
    isLast ? "sed 's/.*\\(.\\)$/\\1/'" : `cut -c${at}`,
  ];
  return { shell: `$(printf '%s\\n' "$${of}" | ${[...cuts, another].join(' | ')})` };
}

const derivationParts = (derivation: Derivation): readonly Part[] =>
  derivation.map((piece, at) =>
    typeof piece === 'string' ? (changed(piece, derivation[at - 1], derivation[at + 1]) ?? piece) : pieceParts(piece),
  );

function pieceParts({ of, part, from, to }: Exclude<Piece, string>): Part {
  const whole = from === 1 && to === undefined;
  if (whole && part === undefined) return { shell: `$${of}` };
  if (from === 1 && to === -1 && part === undefined) return { shell: `\${${of}%?}` };
  const cuts = [
    ...(part === undefined ? [] : [`cut -d. -f${part}`]),
    ...(whole ? [] : [to === -1 ? "sed 's/.$//'" : `cut -c${from}-${to ?? ''}`]),
    ...(to === -1 && from > 1 ? [`cut -c${from}-`] : []),
  ];
  return { shell: `$(printf '%s\\n' "$${of}" | ${cuts.join(' | ')})` };
}

/** Names with a configured value. */
const isConfigured = (name: string): boolean => credentialNames.some((one) => one === name) || isHeaderVariable(name);

/** A key of the run, by its name in the report. */
const isMadeKey = (name: string): boolean => /^(MADE_KEY|KEY_IN_REPLY)_\w+$/.test(name);

/** Replaces every named token by its variable. */
function withTokens(parts: readonly Part[], derivations: Derivations): readonly Part[] {
  const text = parts.filter((part) => typeof part === 'string').join('');
  let result = parts;
  for (const name of namesIn(text)) {
    const derivation = derivations[name];
    if (derivation) result = replaced(result, `<${name}>`, derivationParts(derivation));
    else if (isMadeKey(name) || isConfigured(name)) result = replaced(result, `<${name}>`, [{ shell: `$${name}` }]);
  }
  return result;
}

function headerOptions({ request }: ReportedExchange, { derivations, keys }: Variables): readonly string[] {
  const options = Object.entries(request.headers).map(([name, value]) => {
    if (value === '') return `-H ${word([`${name};`])}`;
    const key = name === 'idempotency-key' ? keys.get(value) : undefined;
    const parts =
      key === undefined ? withTokens([`${name}: ${value}`], derivations) : [`${name}: `, { shell: `$${key}` }];
    return `-H ${word(parts)}`;
  });
  const typed = request.headers['content-type'] !== undefined || request.body === undefined;
  return typed ? options : [...options, "-H 'content-type:'"];
}

/** All options after method and address. */
export const options = (exchange: ReportedExchange, variables: Variables): readonly string[] => {
  const { body } = exchange.request;
  const data = body === undefined ? [] : [`--data-raw ${word(withTokens([body], variables.derivations))}`];
  return [...headerOptions(exchange, variables), ...data];
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Idempotency-Keys that differ in one group only must do so again; the others are new. */
export function keyAssignments(exchanges: readonly ReportedExchange[]) {
  const keys = new Map<string, string>();
  const lines: string[] = [];
  for (const { request } of exchanges) {
    const key = request.headers['idempotency-key'];
    if (key === undefined || !uuid.test(key) || keys.has(key)) continue;
    const variable = keys.size === 0 ? 'KEY' : `KEY_${keys.size + 1}`;
    const [sameHead] = [...keys].find(([known]) => known.slice(0, 23) === key.slice(0, 23)) ?? [];
    const [sameTail] = [...keys].find(([known]) => known.slice(9) === key.slice(9)) ?? [];
    if (sameHead) lines.push(`${variable}="\${${keys.get(sameHead)}%-*}-${key.slice(24)}"`);
    else if (sameTail) lines.push(`${variable}="${key.slice(0, 8)}-\${${keys.get(sameTail)}#*-}"`);
    else lines.push(`${variable}=$(uuidgen)`);
    keys.set(key, variable);
  }
  return { keys, lines };
}

export const address = (exchange: ReportedExchange): string =>
  word([{ shell: '$COVENANT_BASE_URL' }, apiPath, routeOf(exchange)]);
