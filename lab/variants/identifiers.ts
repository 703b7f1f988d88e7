// Identifiers that are large and in random order, mapped one to one in replies and requests: below 2^31, beyond it, and beyond 2^53.
import type { Wrap } from '../mutants/mutant.ts';
import type { Json } from '../mutants/wrappers/mutator.ts';
import { altered, rewritten, see } from '../mutants/wrappers/mutator.ts';
import { rebuilt } from './rewrite.ts';

const prime = 2_147_483_647n;
const factor = 48_271n;
const inverse = 1_899_818_559n;

/** One to one on 1 to 2^31 - 2. */
const scatter = (id: number): number => Number((BigInt(id) * factor) % prime);
const gather = (id: number): number => Number((BigInt(id) * inverse) % prime);

const isIdentifier = (name: string): boolean =>
  name === 'id' || (name.endsWith('_id') && name !== 'org_id' && name !== 'request_id');
/** Nothing of the reference has it. */
const neverGiven = '2147483646';
const fits = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < Number(prime);

const mapped = (json: unknown, map: (id: number) => number): unknown =>
  rebuilt(json, (object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name, isIdentifier(name) && fits(value) ? map(value) : value]),
    ),
  );

const gatheredPath = (path: string): string =>
  path.replace(/\/(companies|notes|api-keys)\/(\d+)/g, (whole, kind, id) =>
    fits(Number(id)) ? `/${kind}/${gather(Number(id))}` : whole,
  );

export const scattered: Wrap = (honest) => async (request) => {
  const seen = await see(request);
  const url = new URL(seen.url);
  url.pathname = gatheredPath(url.pathname);
  const account = request.headers.get('x-active-account');
  const headers =
    account !== null && /^\d+$/.test(account) ? { 'x-active-account': String(gather(Number(account))) } : {};
  const isRecord = typeof seen.body === 'object' && seen.body !== null && 'company_id' in seen.body;
  const body = isRecord ? { body: mapped(seen.body, gather) } : {};
  const response = await honest(await altered(seen, { url: url.href, headers, ...body }));
  const json: unknown = await response.clone().json();
  return rewritten(response, mapped(json, scatter) as Json);
};

/** Identifiers counted on from a number, in the text of the body: no number of JavaScript holds what is beyond 2^53. Texts of contacts count, too. */
export function countedFrom(first: bigint): Wrap {
  const out = (digits: string): string => String(first + BigInt(digits));
  const back = (digits: string): string => {
    const id = BigInt(digits) - first;
    return id > 0n ? String(id) : digits === '0' ? digits : neverGiven;
  };
  return (honest) => async (request) => {
    const url = request.url.replace(/(?<=\/(?:companies|notes|api-keys)\/)(\d+)(?=[/?]|$)/g, (digits) => back(digits));
    const headers = new Headers(request.headers);
    const account = headers.get('x-active-account');
    if (account !== null && /^\d+$/.test(account)) headers.set('x-active-account', back(account));
    const { method } = request;
    const body = (await request.text()).replace(/(?<=ompany_id"\s*:\s*)\d+/g, back);
    const response = await honest(new Request(url, { method, headers, ...(body === '' ? {} : { body }) }));
    const text = (await response.text()).replace(
      /(?<="(?:id|\w*_id)":(?:"contact-)?)(?<!"(?:org|request)_id":)\d+/g,
      out,
    );
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
  };
}
