// The vitest projects: `ourselves` tests the suite, `laboratory` is what takes long of that, `live` what needs a browser, a shell, processes or real time, `target` examines a target, one test a requirement and one file an area.
import { defineConfig } from 'vitest/config';

/** Hooks wait as long as tests: a beforeAll runs whole examinations, too, and a loaded machine is slow at both. */
const patience = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

/** What examines servers by whole runs, or starts many processes; `npm run check` leaves it to `npm test`. */
const long = [
  'lab/lab.test.ts',
  'lab/conditional/*.test.ts',
  'lab/bench/minutes.test.ts',
  'lab/second-servers.test.ts',
  'lib/reproduce/anew.test.ts',
];

/** What no virtual clock can show, and what takes longest of the rest; `.ci/run` runs it. */
const live = [
  'lab/known-false-results.test.ts',
  'lib/gate/regression.test.ts',
  'lab/network/{hostile,limiter-in-front,memory,sockets}.test.ts',
  'lab/cli.test.ts',
  'lab/credentials.test.ts',
  'lab/network/network.test.ts',
  'lab/order.test.ts',
  'lab/shards.test.ts',
  'lib/cli/canary.test.ts',
  'lab/over-http.test.ts',
  'lib/cli/github.test.ts',
  'lib/cli/killed.test.ts',
  'lib/cli/network.test.ts',
  'lib/cli/whole.test.ts',
  'lib/client/transports/network.test.ts',
  'lib/evidence/echoes.test.ts',
  'lib/report/html/browser.test.ts',
  'lib/reproduce/commands.test.ts',
];
const target = 'suites/target/*.test.ts';

export default defineConfig({
  test: {
    // By default vitest leaves a core to others, which is half of a small machine.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'ourselves',
          include: ['*.test.ts', 'ci/**/*.test.ts', 'lib/**/*.test.ts', 'suites/**/*.test.ts', 'lab/**/*.test.ts'],
          exclude: [target, ...long, ...live],
          // Nothing here keeps state in a module, and every second file would load the catalogue and the suites again.
          isolate: false,
          ...patience(60_000),
        },
      },
      { test: { name: 'laboratory', include: long, isolate: false, ...patience(60_000) } },
      { test: { name: 'live', include: live, isolate: false, ...patience(60_000) } },
      { test: { name: 'target', include: [target], ...patience(3_600_000) } },
    ],
  },
});
