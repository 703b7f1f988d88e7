// Checks the address of a target before anything is sent to it.
import { apiPath } from '../catalogue/operations.ts';
import { UsageError } from './settings.ts';
import type { Found } from './settings-sources.ts';

/** Shown only where it can hold no secret: no user, no query, no fragment. */
const shown = (value: string): string => (/[@?#]/.test(value) ? 'The base URL' : `The base URL ${value}`);

function parsed({ value, where }: Found): URL {
  const name = `${shown(value)} (${where})`;
  const hint = 'write it like https://staging.example.com';
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value))
    throw new UsageError(`${name} has no http:// or https:// in front; ${hint}.`);
  if (!URL.canParse(value)) throw new UsageError(`${name} is not a URL; ${hint}.`);
  return new URL(value);
}

/** The base URL without a slash at its end, and without the interface's own path where that was pasted along. */
export interface BaseUrl {
  readonly url: string;
  /** For a person who pasted too much. */
  readonly notices: readonly string[];
}

/**
 * A base URL that can be used.
 * @throws UsageError saying what is wrong with it and what to do.
 */
export function checkedBaseUrl(found: Found): BaseUrl {
  const url = parsed(found);
  const name = `${shown(found.value)} (${found.where})`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${name} is neither http nor https; the interface is JSON over HTTP.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${name} contains a user or password; leave them out and put the key in COVENANT_API_KEY.`);
  }
  if (/[?#]/.test(found.value)) throw new UsageError(`${name} has a query or fragment; leave off what follows ? or #.`);
  const path = url.pathname.replace(/\/+$/, '');
  const own = path.endsWith(apiPath) ? path.slice(0, -apiPath.length).replace(/\/+$/, '') : path;
  const notices = own === path ? [] : [`${name} ends with ${apiPath}, which is added anyway; it is used without it.`];
  return { url: url.origin + own, notices };
}
