// What `covenant serve` answers beside the interface: its page and its OpenAPI description.
import { credentialNames } from '../configuration/settings.ts';
import { pagePolicy, sandboxPage } from '../openapi/page.ts';
import { exchangesOfReference } from './openapi-examples.ts';
import type { Listening, Parts } from './parts.ts';

const isCredential = (name: string): boolean => credentialNames.some((one) => one === name);

async function page({ url, env }: Listening): Promise<Response> {
  const variables = Object.entries(env);
  const text = sandboxPage({
    url,
    credentials: variables.filter(([name]) => isCredential(name)),
    settings: variables.filter(([name]) => !isCredential(name)),
    exchanges: await exchangesOfReference(),
  });
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy };
  return new Response(text, { headers: { ...headers, 'referrer-policy': 'no-referrer' } });
}

/** Undefined where the request is the interface's own. */
export async function besideInterface(
  request: Request,
  sandbox: Listening,
  openapi: Parts['openapi'],
): Promise<Response | undefined> {
  if (request.method !== 'GET') return undefined;
  const { pathname } = new URL(request.url);
  if (pathname === '/') return page(sandbox);
  return pathname === '/openapi.json' ? Response.json(await openapi(sandbox.url)) : undefined;
}
