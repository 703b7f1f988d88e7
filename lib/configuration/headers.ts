// Headers for gateways in front of the target: sent with each request, and secret unless they are said to be public.
import { UsageError } from './settings.ts';
import type { Found, Lookup } from './settings-sources.ts';
import { isHeaderVariable, headerPrefixes as prefixes } from './variables.ts';

/** `NAME: VALUE` each. */
export interface HeaderFlags {
  readonly header?: readonly string[];
  readonly publicHeader?: readonly string[];
}

export interface ExtraHeaders {
  /** Values as they are kept: a secret one as its name in angle brackets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secret values by these names. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The interface's own headers are what is tested; the others belong to the connection. */
const refused: Readonly<Record<string, string>> = {
  authorization: 'is the interface’s own; put the credential into COVENANT_API_KEY',
  'x-origin-app': 'is the interface’s own; set COVENANT_ORIGIN_APP',
  'content-type': 'is the interface’s own, and the suite sets it',
  'idempotency-key': 'is the interface’s own, and the suite sets it',
  'x-active-account': 'is the interface’s own, and the suite sets it',
  accept: 'is set by the suite',
  'proxy-authorization': 'goes to a proxy; put user and password into HTTPS_PROXY',
};
const connection =
  /^(?:connection|content-length|expect|host|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

interface Given extends Found {
  readonly name: string;
  readonly open: boolean;
}

/** What stands in front of the first colon; empty where there is none, because that may be a secret. */
export const nameOfHeader = (text: string): string =>
  text
    .slice(0, Math.max(0, text.indexOf(':')))
    .trim()
    .toLowerCase();

function fromFlag(text: string, flag: string, open: boolean): Given {
  const name = nameOfHeader(text);
  if (name === '')
    throw new UsageError(`${flag} needs a name, a colon and a value, like ${flag} 'X-Gateway-Key: ...'.`);
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
    throw new UsageError(`The name in front of the colon of a ${flag} is not one of a header.`);
  return { name, value: text.slice(text.indexOf(':') + 1).trim(), where: `${flag} ${name}`, open };
}

function fromVariable(name: string, lookup: Lookup): Given[] {
  const found = lookup(name);
  const open = name.startsWith(prefixes.open);
  const header = name
    .slice((open ? prefixes.open : prefixes.secret).length)
    .toLowerCase()
    .replaceAll('_', '-');
  return found ? [{ ...found, name: header, open }] : [];
}

function checked({ name, value, where }: Given): void {
  const why =
    refused[name] ?? (connection.test(name) ? 'belongs to the connection, and no setting changes it' : undefined);
  if (why !== undefined) throw new UsageError(`The header ${name} (${where}) ${why}.`);
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    throw new UsageError(
      `The value of the header ${name} (${where}) is empty or cannot be sent; use plain ASCII without line breaks.`,
    );
}

const standIn = (name: string): string => `${prefixes.secret}${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/**
 * All headers that are given, a flag before a variable.
 * @throws UsageError on one of the interface's own, on one that cannot be sent, and on one that is given twice.
 */
export function extraHeaders({ header = [], publicHeader = [] }: HeaderFlags, lookup: Lookup): ExtraHeaders {
  const flags = [
    ...header.map((text) => fromFlag(text, '--header', false)),
    ...publicHeader.map((text) => fromFlag(text, '--public-header', true)),
  ];
  const byFlag = new Set(flags.map(({ name }) => name));
  const variables = lookup.names.filter(isHeaderVariable).flatMap((name) => fromVariable(name, lookup));
  const headers: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const given of [...flags, ...variables.filter(({ name }) => !byFlag.has(name))]) {
    checked(given);
    if (headers[given.name] !== undefined)
      throw new UsageError(`The header ${given.name} is given twice (${given.where}); leave one out.`);
    headers[given.name] = given.open ? given.value : `<${standIn(given.name)}>`;
    if (!given.open) secrets[standIn(given.name)] = given.value;
  }
  return { headers, secrets };
}
