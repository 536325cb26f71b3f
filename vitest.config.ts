import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/**/*.test.ts'],
    // Those need servers that only `npm run test:real` installs.
    exclude: ['**/node_modules/**', 'test/real/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Processes: tests may change signals, the environment and the working directory.
    pool: 'forks',
    // Tests wait more than they compute.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
