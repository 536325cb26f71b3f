import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { requireConnection } from '../../connections/find-connection.ts';
import { type AvatarRow, findAvatar, storeAvatar } from './avatar-queries.ts';
import { fetchAvatar } from './fetch-avatar.ts';

type AvatarApp = Pick<App, 'db' | 'clock' | 'log' | 'platformAccess' | 'sandboxUrl'>;

const weekMs = 7 * 86_400_000;
const retryMs = 10 * 60_000;

/**
 * The avatar of a connected account as a small WebP. It is fetched again when the account's avatar URL changes, or
 * after a week. If that fails, the old one is shown, and there is no retry for ten minutes.
 */
export async function connectionAvatar(
  app: AvatarApp,
  { userId, ownerId }: Pick<Who, 'userId' | 'ownerId'>,
  platformId: string,
): Promise<Buffer> {
  const { id, avatarUrl } = await requireConnection(app, userId, platformId);
  if (avatarUrl === null) throw new Problem('avatar_missing');
  const stored = await findAvatar(app.db, id);
  const current = isCurrent(stored, avatarUrl, app.clock.now())
    ? stored
    : await refresh(app, { id, ownerId, avatarUrl });
  if (!current?.image) throw new Problem('avatar_unavailable');
  return current.image;
}

function isCurrent(stored: AvatarRow | null, address: string, now: Date): boolean {
  if (stored?.address !== address) return false;
  const { fetchedAt, failedAt } = stored;
  const ageOf = (time: Date | null) => (time ? now.getTime() - time.getTime() : Number.POSITIVE_INFINITY);
  return failedAt ? ageOf(failedAt) < retryMs : ageOf(fetchedAt) < weekMs;
}

interface Wanted {
  id: string;
  ownerId: string;
  avatarUrl: string;
}

/** By connection, so that concurrent callers share one request. */
const running = new Map<string, Promise<AvatarRow | null>>();

function refresh(app: AvatarApp, wanted: Wanted): Promise<AvatarRow | null> {
  const started = running.get(wanted.id) ?? fetchAndStore(app, wanted).finally(() => running.delete(wanted.id));
  running.set(wanted.id, started);
  return started;
}

async function fetchAndStore({ db, clock, log, ...access }: AvatarApp, { id, ownerId, avatarUrl }: Wanted) {
  const image = await fetchAvatar(access, ownerId, avatarUrl).catch((error: unknown) => {
    log.info(
      { connectionId: id, reason: error instanceof Error ? error.message : error },
      'the profile picture of an account could not be fetched',
    );
    return null;
  });
  await storeAvatar(db, id, { address: avatarUrl, image, now: clock.now() });
  return findAvatar(db, id);
}
