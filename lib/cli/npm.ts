// Notices options that npm kept for itself because they stood before `--`: a run without them would be another run.
import { UsageError } from '../configuration/settings.ts';
import type { Environment } from '../configuration/settings-sources.ts';

/** Whether npm runs one of the scripts of the repository. */
export const isOurs = (script: string | undefined): boolean => script === 'certify' || script === 'covenant';

/**
 * `options` are the long names of ours, `--read-only` or `--no-exhaustion`.
 * @throws UsageError where npm was given one of them.
 */
export function refuseSwallowed(environment: Environment, options: readonly string[]): void {
  const script = environment.npm_lifecycle_event;
  if (!isOurs(script)) return;
  const swallowed = options.find((option) => {
    const name = option.replace(/^--(?:no-)?/, '').replaceAll('-', '_');
    return environment[`npm_config_${name}`] !== undefined;
  });
  if (swallowed === undefined) return;
  throw new UsageError(`npm kept ${swallowed} for itself; put -- before it: npm run ${script} -- ${swallowed}`);
}
