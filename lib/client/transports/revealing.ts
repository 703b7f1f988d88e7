// Secret headers for gateways: they get their values on the way out and nowhere else.
import { Secrets } from '../../secrets/secrets.ts';
import type { Transport } from './transport.ts';

type Texts = Readonly<Record<string, string>>;

const mapped = (texts: Texts, change: (text: string) => string): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));

/** The same transport for headers that hold the names of secrets in angle brackets; a reply that shows one is cleaned. */
export function revealing(transport: Transport, values: Texts): Transport {
  if (Object.keys(values).length === 0) return transport;
  const secrets = new Secrets();
  for (const [name, value] of Object.entries(values)) secrets.add(name, value);
  const real = (text: string): string => values[/^<(\w+)>$/.exec(text)?.[1] ?? ''] ?? text;
  const clean = (text: string): string => secrets.redact(text);
  return async (sent, limits) => {
    const { status, headers, body } = await transport({ ...sent, headers: mapped(sent.headers, real) }, limits);
    return { status, headers: mapped(headers, clean), body: clean(body) };
  };
}
