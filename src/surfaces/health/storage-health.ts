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
 * What was last seen of the storage. However often balancers ask us, a bucket is asked every ten seconds at most, and only
 * the first caller waits for its answer: while it hangs, the service must not look as if it did.
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
