// `covenant openapi`: prints OpenAPI 3.1 of the interface as this suite reads it.
import { checkedBaseUrl } from '../configuration/base-url.ts';
import type { Console } from './console.ts';
import type { Parts } from './parts.ts';

export interface OpenapiOptions {
  readonly baseUrl: string;
}

/**
 * Prints and says the exit code.
 * @throws UsageError on a base URL that cannot be used.
 */
export async function openapi({ baseUrl }: OpenapiOptions, console: Console, parts: Parts): Promise<number> {
  const { url } = checkedBaseUrl({ value: baseUrl, where: '--base-url' });
  console.stdout(`${JSON.stringify(await parts.openapi(url), null, 2)}\n`);
  return 0;
}
