import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../http/json.ts';
import { createCache } from './cache.ts';
import type { Row } from './row.ts';

export interface Account {
  readonly platform: string;
  readonly id: string;
  /** In the spelling of the platform's `normalize`. */
  readonly handle: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly premium: boolean;
  readonly suspended: boolean;
  readonly data: JsonObject;
  readonly createdAt: number;
}

export type NewAccount = Omit<Account, 'createdAt' | 'suspended'>;

const columns = `network as platform, id, handle, display_name as displayName, avatar_url as avatarUrl, profile_url as profileUrl,
  premium, suspended, data, created_at as createdAt`;

export function createAccounts(db: DatabaseSync, now: () => number) {
  const byId = db.prepare(`select ${columns} from accounts where network = ? and id = ?`);
  const byHandle = db.prepare(`select ${columns} from accounts where network = ? and handle = ?`);
  const all = db.prepare(
    `select ${columns} from accounts where network = coalesce(?, network) order by created_at, rowid`,
  );
  const insert = db.prepare('insert into accounts values (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)');
  const update = db.prepare('update accounts set premium = ?, suspended = ?, data = ? where network = ? and id = ?');

  const cache = createCache<Account>();

  return {
    find: (platform: string, id: string): Account | undefined =>
      cache.get(`${platform} ${id}`, () => fromRow(byId.get(platform, id))),
    findByHandle: (platform: string, handle: string): Account | undefined => fromRow(byHandle.get(platform, handle)),
    list: (platform?: string): Account[] => all.all(platform ?? null).map((row) => readRow(row)),
    add(account: NewAccount): Account {
      const createdAt = now();
      insert.run(
        account.platform,
        account.id,
        account.handle,
        account.displayName,
        account.avatarUrl,
        account.profileUrl,
        Number(account.premium),
        JSON.stringify(account.data),
        createdAt,
      );
      return { ...account, suspended: false, createdAt };
    },
    change(account: Account, change: Partial<Pick<Account, 'premium' | 'suspended' | 'data'>>): Account {
      const changed = { ...account, ...change };
      const { premium, suspended, data, platform, id } = changed;
      update.run(Number(premium), Number(suspended), JSON.stringify(data), platform, id);
      cache.forget();
      return changed;
    },
    forget: cache.forget,
  };
}

function fromRow(row: unknown): Account | undefined {
  return row === undefined ? undefined : readRow(row);
}

function readRow(row: unknown): Account {
  const stored = row as Row<Account, 'data', 'premium' | 'suspended'>;
  return {
    ...stored,
    premium: stored.premium === 1,
    suspended: stored.suspended === 1,
    data: JSON.parse(stored.data),
  };
}
