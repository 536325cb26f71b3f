import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { periodicTasks } from '../src/surfaces/worker.ts';
import { testApp } from './support/service/app.ts';

/**
 * In background work for many owners, the slow servers of one owner must not delay the others, nor may one owner's many
 * rows where each row needs separate statements. Each loop and each periodic task is listed here with the test that
 * proves it, or with everything that it reaches. None of these is a server that a user can choose.
 */
type Reach = 'database' | 'storage' | 'mail server of the operator';
type Proof = Reach | { file: string; title: string };

const loops: Record<string, Proof> = {
  'src/features/mail/sender.ts': 'mail server of the operator',
  'src/foundation/periodic/follow-database-clock.ts': 'database',
  // Starts the tasks below, each independently of the others.
  'src/foundation/periodic/periodic-tasks.ts': 'database',
  'src/features/publishing/lanes/dispatcher.ts': {
    file: 'src/features/publishing/lanes/dispatch-turns.test.ts',
    title: 'a due post does not wait until the many posts of another user that cannot be published are drafts',
  },
  'src/features/publishing/lanes/publisher.ts': {
    file: 'src/features/publishing/fairness.slow.test.ts',
    title: 'posts of one user to servers that do not respond leave capacity to others on the same platform',
  },
  'src/features/stream/change-feed.ts': {
    file: 'src/features/stream/catch-up.test.ts',
    title: 'readers of one owner who catch up together delay those of another by at most one turn',
  },
  'src/features/webhooks/delivery/deliverer.ts': {
    file: 'src/features/webhooks/fairness.slow.test.ts',
    title: 'of a few owners leave capacity to others',
  },
};

const tasks: Record<string, Proof> = {
  'collect-orphaned-media': 'storage',
  'delete-orphaned-files': 'storage',
  'delete-removed-deliveries': 'database',
  'detach-posts': 'database',
  'erase-accounts': 'database',
  'fold-post-counts': 'database',
  'forget-people': 'database',
  'prune-audit-log': 'database',
  'prune-changes': 'database',
  'prune-connection-flows': 'database',
  'prune-deleted-posts': 'database',
  'prune-idempotency-keys': 'database',
  'prune-links': 'database',
  'prune-mails': 'database',
  'prune-oauth-clients': 'database',
  'prune-post-logs': 'database',
  'prune-publish-steps': 'database',
  'prune-rate-counters': 'database',
  'prune-request-bodies': 'database',
  'prune-request-log': 'database',
  'prune-sessions': 'database',
  'prune-statistics': 'database',
  'prune-webhook-deliveries': 'database',
  'remove-abandoned-uploads': 'storage',
  'renew-credentials': {
    file: 'src/features/connections/renewal-turns.slow.test.ts',
    title: 'credentials of one owner at a slow network do not delay the renewal of those of another',
  },
  'warn-of-api-versions': 'database',
};

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));

describe('the list of background work', () => {
  test('has every loop', () => {
    const found = sources.filter((path) => /\bstart(Watched|Wakeable)Loop\(\s*(app|run|async)/.test(read(path)));
    const defined = ['src/foundation/lib/wakeable-loop.ts', 'src/foundation/periodic/background-work.ts'];
    expect(found.filter((path) => !defined.includes(path)).sort()).toEqual(Object.keys(loops).sort());
  });

  test('has every periodic task', async () => {
    const { app, close } = await testApp();
    const names = periodicTasks(app).map(({ name }) => name);
    await close();
    expect(names.sort()).toEqual(Object.keys(tasks).sort());
  });

  const proofs = Object.entries({ ...loops, ...tasks }).flatMap(([what, proof]) =>
    typeof proof === 'string' ? [] : [{ what, ...proof }],
  );
  test.each(proofs)('names a test of $what that exists', ({ file, title }) => {
    expect(read(file)).toContain(`test('${title}'`);
  });
});

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
