// Which forward proxy requests go through, by the variables that every tool knows.
import { BlockList, isIP } from 'node:net';
import { type Found, UsageError } from './settings.ts';
import type { Lookup } from './settings-sources.ts';
import type { ProxyVariable } from './variables.ts';

export interface ForwardProxy {
  /** With its user and password. */
  readonly url: string;
  /** Without them, for people. */
  readonly shown: string;
  /** Where it was set, for people. */
  readonly where: string;
  readonly variable: string;
  readonly password?: string;
}

/** Addresses of this machine are reached straight, whatever is set: no proxy has them. */
const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** Whether an address is in a range like 10.0.0.0/8 or fd00::/8. */
function isWithin(address: string, range: string): boolean {
  const [net = '', bits = ''] = range.split('/');
  const kind = isIP(address);
  if (kind === 0 || kind !== isIP(net) || !/^\d{1,3}$/.test(bits) || Number(bits) > (kind === 4 ? 32 : 128))
    return false;
  const family = kind === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(net, Number(bits), family);
  return list.check(address, family);
}

/** Whether NO_PROXY names the host: itself, a domain or a range of addresses that it is in, with or without a port, or `*` for all. */
function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const actual = port || (protocol === 'https:' ? '443' : '80');
  const host = hostname.replace(/^\[|\]$/g, '');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isWithin(host, entry);
      const [, name = entry, wanted] = (isIP(entry) === 6 ? null : /^(.+):(\d+)$/.exec(entry)) ?? [];
      const domain = name.replace(/^\*?\.|^\[|\]$/g, '');
      return (wanted ?? actual) === actual && (host === domain || host.endsWith(`.${domain}`));
    });
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

function parsed(variable: string, { value, where }: Found): ForwardProxy {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const hint = 'write it like http://proxy.example.com:3128';
  if (!URL.canParse(text)) throw new UsageError(`The proxy in ${where} is not a URL; ${hint}.`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`The proxy in ${where} is neither http nor https (${url.protocol}//); ${hint}.`);
  const shown = `${url.protocol}//${url.host}`;
  if (!isDecodable(url))
    throw new UsageError(
      `The user or password of the proxy in ${where} has a % that is not followed by two digits; write it as %25.`,
    );
  return { url: url.href, shown, where, variable, ...(url.password && { password: decodeURIComponent(url.password) }) };
}

/**
 * The proxy for a target: HTTPS_PROXY for https, HTTP_PROXY for http, unless NO_PROXY names its host.
 * @throws UsageError on a proxy that is not a URL.
 */
export function proxyFor(target: URL, lookup: Lookup): ForwardProxy | undefined {
  const either = (name: ProxyVariable): Found | undefined => lookup(name.toLowerCase()) ?? lookup(name);
  if (loopback.test(target.hostname) || isExempt(target, either('NO_PROXY')?.value ?? '')) return undefined;
  const variable = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const found = either(variable);
  return found && parsed(variable, found);
}
