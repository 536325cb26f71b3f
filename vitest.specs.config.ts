import { defineConfig } from 'vitest/config';

/** Calls and answers against vendors' descriptions: `npm run test:specs`, which installs those first. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/specs/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
