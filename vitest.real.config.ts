import { defineConfig } from 'vitest/config';

/** Adapters against networks' own servers: `npm run test:real`, which installs those first. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/real/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
