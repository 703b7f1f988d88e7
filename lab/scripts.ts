// `npm run lab -- --scripts 60`: the scripts of so many mutants, each run by sh over real HTTP against the mutant and against the reference.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Console } from '../lib/cli/console.ts';
import { scripts } from '../lib/report/views.ts';
import { wallClock } from '../lib/runtime/clock.ts';
import type { VirtualClock } from '../lib/runtime/virtual-clock.ts';
import { examine } from './examine.ts';
import { mutants } from './mutants/index.ts';
import type { Mutant } from './mutants/mutant.ts';
import { listen } from './over-http.ts';
import { createReference } from './reference/index.ts';

/** Long enough for a burst, short enough that a script's requests are never refused for an earlier one's. */
const minuteMs = 5_000;
/** Requests that are processes of their own begin further apart than those of one run, on a busy machine above all; in milliseconds. */
const gapMin = 600;
const inside = { ...wallClock, sleep: (ms: number) => wallClock.sleep(Math.max(ms, gapMin)) };
const clock: VirtualClock = { ...wallClock, during: (work) => work(), inside };

export interface Ended {
  /** 1 shown, 0 not shown, 2 stopped. */
  readonly code: number;
  readonly printed: string;
}

/** The script against a server of its own. */
async function against({ reference, wrap }: Partial<Mutant>, file: string): Promise<Ended> {
  const { handler, env } = await createReference({ ...reference, minuteMs, clock: wallClock });
  const server = await listen(wrap ? wrap(handler, clock) : handler, 'plain');
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', ...env, COVENANT_BASE_URL: server.url };
  return new Promise<Ended>((done) => {
    const child = execFile('sh', [file], { env: environment }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? 2, printed: `${stdout}${stderr}` }),
    );
  }).finally(() => server.close());
}

/** What the script of the requirement that a mutant breaks comes to: against the mutant, and against the reference. */
export async function tried(
  mutant: Mutant,
  requirements?: readonly string[],
): Promise<{ broken: Ended; honest: Ended }> {
  const { wrap, breaks, reference } = mutant;
  const { report } = await examine({
    wrap,
    ...(requirements && { settings: { requirements } }),
    ...(reference && { reference }),
  });
  const folder = await mkdtemp(join(tmpdir(), 'covenant-scripts-'));
  const file = join(folder, 'failure.sh');
  try {
    await writeFile(file, scripts({ report, transcript: [] }).get(`${breaks[0]}.sh`) ?? 'echo no script; exit 9');
    const [broken, honest] = await Promise.all([against(mutant, file), against(reference ? { reference } : {}, file)]);
    return { broken, honest };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const pad = (text: string): string => text.replace(/^/gm, '    ');

/** Returns the exit code: 0 where each shows its failure on the mutant only. */
export async function scriptsOfMutants(count: number, seed: number, console: Console): Promise<number> {
  const step = Math.max(1, Math.floor(mutants.length / count));
  const chosen = mutants.filter((_, at) => at % step === seed % step).slice(0, count);
  const places = pLimit(4);
  const wrong = await Promise.all(
    chosen.map((mutant) =>
      places(async () => {
        const { broken, honest } = await tried(mutant);
        const isRight = broken.code === 1 && honest.code === 0;
        if (!isRight)
          console.stdout(
            `${mutant.id}, ${mutant.breaks[0]}: exit ${broken.code} on the mutant, ${honest.code} on the reference\n${pad(broken.printed.slice(-1500))}\n  reference:\n${pad(honest.printed.slice(-700))}\n`,
          );
        return !isRight;
      }),
    ),
  );
  const bad = wrong.filter(Boolean).length;
  console.stdout(
    `${chosen.length - bad} of ${chosen.length} scripts show their failure on the mutant and not on the reference.\n`,
  );
  return bad === 0 ? 0 : 1;
}
