// Puts what is said of flags and variables into the words of the options of `examine`.
import { UsageError } from '../configuration/settings.ts';

/** `api_key` or `API_KEY` as `apiKey`. */
export const camel = (name: string): string =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const plural: Readonly<Record<string, string>> = {
  area: 'areas',
  requirement: 'requirements',
  header: 'headers',
  'public-header': 'publicHeaders',
};

/** The sentence with every flag and variable under the name by which it is given here. */
function renamed(message: string, options: ReadonlyMap<string, string>): string {
  const flags = message
    .replace(/--((?:public-)?header) ([a-z0-9-]+)/g, (_, flag: string, name: string) => `${plural[flag]}.${name}`)
    .replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, flag: string) => plural[flag] ?? camel(flag.replaceAll('-', '_')));
  return flags.replace(
    /(?:the environment variable )?(COVENANT_[A-Z_]*[A-Z]|HTTPS_PROXY)/g,
    (whole, name: string) => options.get(name) ?? whole,
  );
}

/** An error as `examine` throws it; `options` has the names that variables have here. */
export function inOptions(error: unknown, options: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof UsageError)) return error;
  const isMissing = error.message.startsWith('COVENANT_API_KEY is not set');
  return new UsageError(
    isMissing
      ? 'credentials.apiKey is missing; it is the API key of the primary account.'
      : renamed(error.message, options),
  );
}
