import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const slow = '**/*.slow.test.ts';
const journey = '**/*.journey.test.ts';
const slowJourney = '**/*.journey.slow.test.ts';
const cluster = 'test/cluster/*.slow.test.ts';
const sandboxNetworks = 'sandbox/platforms/**/*.test.ts';
const onEveryStorage = [
  'src/surfaces/admin/backup/restored-files.slow.test.ts',
  'src/features/media/{uploads/process-video.slow,remove-media,uploads/thumbnails.slow,uploads}.test.ts',
  'src/features/files/{complete-media,deleted-files,storing/orphaned-files,renditions/renditions.slow,served-files}.test.ts',
  'src/features/posts/media-urls.test.ts',
  'src/features/publishing/media.slow.test.ts',
];
/** One build of the dashboard for all files. */
const browserSetup = ['dashboard/test/support/browser-setup.ts'];

const inBrowser = {
  globalSetup: browserSetup,
  testTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  // After the others, because a browser needs the processors for itself.
  sequence: { groupOrder: 1 },
  maxWorkers: 2,
  // The files of a worker share its browser and its service.
  isolate: false,
};

/** One file after the other: each needs the whole machine. */
const onCluster = { include: [cluster], maxWorkers: 1, sequence: { groupOrder: 4 } };

/** `npm test` runs the projects "fast" and "journeys", `npm run test:slow` "slow", "sandbox" and "s3". */
export default defineConfig({
  // Its source, so that no test needs a build of the client.
  resolve: { alias: { '@crier/client': fileURLToPath(new URL('client/src/index.ts', import.meta.url)) } },
  test: {
    environment: 'node',
    // Tests in test/real and test/specs need packages that only `npm run test:real` and `npm run test:specs` install.
    exclude: ['**/node_modules/**', 'docs/.vitepress/**', 'test/real/**', 'test/specs/**'],
    globalSetup: ['test/support/setup/global.ts'],
    // The first looks for secrets in every answer, log line and mail of a test file.
    setupFiles: ['test/support/setup/secrets.ts', 'test/support/setup/property-seed.ts'],
    // Each worker is a process, because tests may change signals, the environment and the working directory.
    pool: 'forks',
    // Tests wait more than they compute.
    maxWorkers: availableParallelism() * 2,
    // Far above what they take, so that a busy machine fails none of them.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    provide: { storageDriver: 'disk', isThorough: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: [
            'src/**/*.test.ts',
            'sandbox/**/*.test.ts',
            'test/**/*.test.ts',
            'client/**/*.test.ts',
            'cli/**/*.test.ts',
            'dashboard/src/**/*.test.ts',
          ],
          exclude: [slow, journey, sandboxNetworks],
          setupFiles: ['test/support/setup/hashes.ts'],
          // The files of a worker share its modules: loading the service for each of them took most of the CPU time. So a
          // test that changes something global puts it back.
          isolate: false,
        },
      },
      // The dashboard in a real browser: what people come for.
      // A busy machine may move a page under a click: `npm run test:journeys`, where it has the machine to itself, repeats none.
      { extends: true, test: { name: 'journeys', include: [journey], ...inBrowser, retry: 1 } },
      // Everything, and each page on the way as everybody has to use it: `npm run test:journeys`.
      {
        extends: true,
        test: {
          name: 'all-journeys',
          include: [journey, slowJourney],
          ...inBrowser,
          provide: { isThorough: true },
        },
      },
      // Pictures of every page in every state: `npm run screenshots`.
      {
        extends: true,
        test: {
          name: 'screenshots',
          include: ['dashboard/scripts/screenshots.ts'],
          globalSetup: browserSetup,
          sequence: { groupOrder: 3 },
          maxWorkers: 1,
        },
      },
      // The pictures of the docs: `npm run pictures`.
      {
        extends: true,
        test: {
          name: 'pictures',
          include: ['dashboard/scripts/pictures.ts'],
          globalSetup: browserSetup,
          sequence: { groupOrder: 3 },
          maxWorkers: 1,
        },
      },
      // Whether the networks of the sandbox are as strict as the real ones.
      {
        extends: true,
        test: { name: 'sandbox', include: [sandboxNetworks], isolate: false },
      },
      // The tests that depend on where files are, once more.
      { extends: true, test: { name: 's3', include: onEveryStorage, provide: { storageDriver: 's3' } } },
      // Crier on a PostgreSQL cluster, and on two machines: `npm run test:cluster`, and `test:cluster:short`, which CI runs, with
      // less load and fewer faults.
      { extends: true, test: { name: 'cluster', ...onCluster, provide: { isThorough: true } } },
      { extends: true, test: { name: 'cluster-short', ...onCluster } },
      // Real processes that are started and killed, attacks, large files, password hashes, measurements of time and memory.
      {
        extends: true,
        test: {
          name: 'slow',
          include: [slow],
          exclude: [slowJourney, cluster],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
        },
      },
    ],
  },
});
