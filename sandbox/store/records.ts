import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../http/json.ts';
import type { Row } from './row.ts';

/** Data that only one platform needs: media containers, upload sessions, pages, chats. */
export interface StoredRecord {
  readonly id: string;
  readonly accountId: string | null;
  readonly data: JsonObject;
  readonly createdAt: number;
}

export function createRecords(db: DatabaseSync, now: () => number) {
  const put = db.prepare(`insert into records values (?, ?, ?, ?, ?, ?)
    on conflict do update set account_id = excluded.account_id, data = excluded.data`);
  const columns = 'id, account_id as accountId, data, created_at as createdAt';
  const byId = db.prepare(`select ${columns} from records where network = ? and kind = ? and id = ?`);
  const all = db.prepare(`select ${columns} from records
    where network = ? and kind = ? and account_id is coalesce(?, account_id) order by created_at, rowid`);
  const remove = db.prepare('delete from records where network = ? and kind = ? and id = ?');

  return {
    put: (platform: string, kind: string, id: string, data: JsonObject, accountId: string | null = null): void =>
      void put.run(platform, kind, id, accountId, JSON.stringify(data), now()),
    find(platform: string, kind: string, id: string): StoredRecord | undefined {
      const row = byId.get(platform, kind, id);
      return row === undefined ? undefined : readRow(row);
    },
    list: (platform: string, kind: string, accountId?: string): StoredRecord[] =>
      all.all(platform, kind, accountId ?? null).map(readRow),
    remove: (platform: string, kind: string, id: string): void => void remove.run(platform, kind, id),
  };
}

function readRow(row: unknown): StoredRecord {
  const stored = row as Row<StoredRecord, 'data'>;
  return { ...stored, data: JSON.parse(stored.data) };
}
