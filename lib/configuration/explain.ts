// Where each setting comes from, for people who wonder why a run does what it does; never the value of a secret.

import { givenProfile } from './checked.ts';
import { type NetworkFlags, nameOfHeader } from './network.ts';
import { credentialNames, type Found, targetDefaults } from './settings.ts';
import { type Environment, parseEnvFile, variableLookup } from './settings-sources.ts';
import { isPemText } from './tls.ts';
import { headerPrefix, isHeaderVariable, proxyVariables, variableNames } from './variables.ts';

export interface Explained {
  readonly name: string;
  /** As a person may see it; empty where it is not set. */
  readonly value: string;
  readonly where: string;
}

interface Given {
  readonly environment: Environment;
  readonly envFile?: string;
  readonly flags?: NetworkFlags & { readonly baseUrl?: string; readonly profile?: string };
  /** What the product declares, where it does. */
  readonly profile?: Found;
}

const secret = new Set<string>([...credentialNames, 'COVENANT_SIGNING_KEY']);
const isSecret = (name: string): boolean => secret.has(name) || name.startsWith(headerPrefix);

const defaults: Readonly<Record<string, string>> = {
  COVENANT_BASE_URL: 'the bundled reference',
  COVENANT_MINUTE_MS: String(targetDefaults.minuteMs),
  COVENANT_ORIGIN_APP: targetDefaults.originApp,
  COVENANT_TIMEOUT_MS: String(targetDefaults.timeoutMs),
};

/** Without user and password, which stand in front of the last @, and without a query. */
const withoutLogin = (value: string): string =>
  value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/i, '$1').replace(/[?#].*/s, '');

function shown(name: string, value: string): string {
  if (isSecret(name) || isPemText(value)) return 'set, secret';
  const isAddress = name === 'COVENANT_BASE_URL' || /^https?_proxy$/i.test(name);
  return isAddress ? withoutLogin(value) : value;
}

function ofFlags({ header = [], http2 }: NetworkFlags): Explained[] {
  return [
    ...header.map((text) => ({ name: nameOfHeader(text), value: 'set, secret', where: '--header' })),
    ...(http2 ? [{ name: 'HTTP/2', value: 'where it is offered', where: '--http2' }] : []),
  ];
}

/**
 * One row a variable, in the order of the table, then the headers, the proxies and the flags.
 * @throws UsageError on an unknown variable.
 */
export function explained({ environment, envFile = '', flags = {}, profile }: Given): readonly Explained[] {
  const lookup = variableLookup(environment, parseEnvFile(envFile));
  const headers = lookup.names.filter(isHeaderVariable).sort();
  const proxies = proxyVariables.map((name) => (lookup(name.toLowerCase()) ? name.toLowerCase() : name));
  const rows = [...variableNames, ...headers, ...proxies].map((name): Explained => {
    if (name === 'COVENANT_BASE_URL' && flags.baseUrl !== undefined)
      return { name, value: shown(name, flags.baseUrl), where: '--base-url' };
    const found = lookup(name);
    if (found) return { name, value: shown(name, found.value), where: found.where };
    const otherwise = defaults[name];
    return { name, value: otherwise ?? '', where: otherwise === undefined ? 'not set' : 'default' };
  });
  const given = givenProfile(flags.profile, profile);
  return [...rows, ...(given ? [{ name: 'profile', ...given }] : []), ...ofFlags(flags)];
}
