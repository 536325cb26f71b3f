import type { App } from '../../app.ts';

type Storage = App['storage'];
type StorageHealth = Awaited<ReturnType<Storage['check']>>;

const askEveryMs = 10_000;

interface Known {
  latest: StorageHealth | null;
  asking: Promise<StorageHealth> | null;
  askedAt: number;
}

const knownOf = new WeakMap<Storage, Known>();

/**
 * The last known state of the storage. However often load balancers ask us, a bucket is asked at most every ten
 * seconds, and only the first caller waits for the response: while the bucket hangs, the service must not appear to
 * hang.
 */
export async function storageHealth({
  storage,
  clock,
  log,
}: Pick<App, 'storage' | 'clock' | 'log'>): Promise<StorageHealth> {
  const known = knownOf.get(storage) ?? { latest: null, asking: null, askedAt: Number.NEGATIVE_INFINITY };
  knownOf.set(storage, known);
  const now = clock.now().getTime();
  if (!known.asking && now - known.askedAt >= askEveryMs) {
    known.askedAt = now;
    known.asking = storage.check().then((health) => {
      if (!health.ok && known.latest?.ok !== false) log.warn(`media cannot be stored or read: ${health.detail}`);
      if (health.ok && known.latest?.ok === false) log.info('media can be stored and read again');
      known.latest = health;
      known.asking = null;
      return health;
    });
  }
  return known.latest ?? (await known.asking!);
}
