import { defineConfig } from 'vitest/config';

/** Crier against servers that others wrote: `npm run test:real`, which installs those from npm first. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/real/*.test.ts'],
    globalSetup: ['test/support/setup/global.ts'],
    pool: 'forks',
    // Each file starts servers, which need the processors for themselves.
    maxWorkers: 2,
    reporters: ['verbose'],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
