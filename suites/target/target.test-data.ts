// What `npm run target` examines: the server that environment and .env name, or the reference in this process.
import { createReference } from '../../lab/reference/index.ts';
import type { Area } from '../../lib/catalogue/requirement.ts';
import { envText } from '../../lib/cli/out-folder.ts';
import { parseEnvFile } from '../../lib/configuration/settings-sources.ts';
import { type ExamineOptions, virtualClock } from '../../lib/runner/index.ts';
import { conformance } from '../../lib/runner/vitest.ts';

async function targetOptions(): Promise<ExamineOptions> {
  const file = parseEnvFile((await envText(process.cwd())) ?? '').map(({ name, value }) => [name, value]);
  const environment = { ...Object.fromEntries(file), ...process.env };
  if (environment.COVENANT_BASE_URL) return { environment };
  const clock = virtualClock();
  const { handler, env } = await createReference({ clock });
  return { fetch: handler, clock, environment: env };
}

/** The tests of one area. */
export async function examineArea(area: Area): Promise<void> {
  conformance({ ...(await targetOptions()), areas: [area] });
}
