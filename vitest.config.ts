// Two vitest projects: `ourselves` tests the suite, `target` shows a run against a target as one test a case.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'ourselves',
          include: ['*.test.ts', 'lib/**/*.test.ts', 'suites/**/*.test.ts', 'lab/**/*.test.ts'],
          exclude: ['suites/target.test.ts'],
          testTimeout: 60_000,
        },
      },
      { test: { name: 'target', include: ['suites/target.test.ts'], testTimeout: 3_600_000, hookTimeout: 3_600_000 } },
    ],
  },
});
