import type { App } from '../../app.ts';
import { createFairTurns } from '../../foundation/lib/fair-turns.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { daily, everyMinute, hourly } from '../../foundation/periodic/schedule.ts';
import { platformFor } from '../../platforms/index.ts';
import { PlatformError, versionWarnings } from '../../platforms/kit/index.ts';
import { deleteExpiredFlows } from './connect/flow-queries.ts';
import type { StoredConnection } from './connections.ts';
import { announceExpiring } from './credentials/announce-expiry.ts';
import { noticeBroken } from './credentials/notice-broken.ts';
import { ensureFreshCredentials } from './credentials/renew.ts';
import { detachPosts } from './detach-queries.ts';
import { selectExpiringSoon } from './queries.ts';

const weekMs = 7 * 86_400_000;
const connectionsPerRun = 1000;
/** Limits for concurrent renewals. */
const renewalTurns = { places: 16, perOwner: 2 };
const longestRunMs = 30 * 60_000;

type RenewalTaskApp = Pick<App, 'db' | 'clock' | 'newId' | 'platformAccess' | 'sealingKeys' | 'log' | 'publicUrl'>;

export const connectionTasks = (app: RenewalTaskApp): PeriodicTask[] => [
  { name: 'renew-credentials', schedule: hourly(23), run: (signal) => renewOrAnnounce(app, signal) },
  {
    name: 'prune-connection-flows',
    schedule: everyMinute,
    run: (signal) => deleteExpiredFlows(app.db, app.clock.now(), signal),
  },
  { name: 'detach-posts', schedule: everyMinute, run: (signal) => detachPosts(app.db, signal) },
  { name: 'warn-of-api-versions', schedule: daily('06:11'), run: async () => warnOfVersions(app) },
];

/** Repeated, because a process that runs for months would otherwise warn only when it starts. */
function warnOfVersions({ clock, platformAccess, log }: RenewalTaskApp): void {
  for (const sentence of versionWarnings(clock.now(), platformAccess.options)) log.warn(sentence);
}

/**
 * Renews credentials that expire within a week, whether or not the user posts, and announces those that cannot be
 * renewed.
 */
export async function renewOrAnnounce(app: RenewalTaskApp, signal: AbortSignal) {
  const { refused } = await renewExpiringSoon(app, signal);
  await announceExpiring(app, refused);
}

/**
 * A failing connection does not stop the others and is retried in the next hour. The same applies if its turn does
 * not come in time, so one owner's slow servers do not delay other owners.
 */
async function renewExpiringSoon(app: RenewalTaskApp, signal: AbortSignal): Promise<{ refused: string[] }> {
  const now = app.clock.now();
  const refused: string[] = [];
  const turns = createFairTurns(renewalTurns);
  const lastStart = performance.now() + longestRunMs;
  const due = await selectExpiringSoon(app.db, now, new Date(now.getTime() + weekMs), connectionsPerRun);
  await Promise.all(
    due.map(async ({ owner, ...connection }) => {
      const platform = platformFor(connection.platform);
      using _turn = await turns.acquire(owner);
      if (!platform || signal.aborted || performance.now() > lastStart) return;
      await ensureFreshCredentials(app, platform, connection, signal, 'now').catch(async (error: unknown) => {
        app.log.warn({ err: error, connectionId: connection.id }, 'credentials could not be renewed early');
        if (!(error instanceof PlatformError) || error.kind !== 'auth') return;
        refused.push(connection.id);
        await noticeUnrenewed(app, connection, error.message);
      });
    }),
  );
  return { refused };
}

const noticeUnrenewed = (app: RenewalTaskApp, { id, expiresAt }: StoredConnection, message: string) =>
  app.db.transaction().execute((tx) => {
    const lasts = expiresAt ? ` Posts are still published until ${expiresAt.toISOString().slice(0, 10)}.` : '';
    return noticeBroken(app, tx, id, message + lasts);
  });
