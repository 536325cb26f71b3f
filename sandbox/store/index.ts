import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createAccounts } from './accounts.ts';
import { createApps } from './apps.ts';
import { createFiles } from './files.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIds } from './ids.ts';
import { createMedia } from './media.ts';
import { createPosts } from './posts.ts';
import { createReactions } from './reactions.ts';
import { createRecords } from './records.ts';
import { schema, tables, tablesOfAccounts } from './schema.ts';
import { createTokens } from './tokens.ts';

/** Everything that outlives a request. With `folder: null` nothing outlives the process. */
export function openStore(folder: string | null, now: () => number) {
  const root = folder ?? mkdtempSync(join(tmpdir(), 'crier-sandbox-'));
  mkdirSync(root, { recursive: true });
  const db = new DatabaseSync(folder === null ? ':memory:' : join(root, 'sandbox.db'));
  // The file must survive the end of this process, not of the machine: no fsync, the system keeps what was written.
  // One process owns it: without a lock taken and given back at every statement, a publish takes half the time.
  db.exec(
    'pragma busy_timeout = 5000; pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 4000;',
  );
  db.exec(schema);
  const files = createFiles(join(root, 'media'));

  const group = createGroupCommit(db);
  const accounts = createAccounts(db, now);
  const tokens = createTokens(db, now);
  const posts = createPosts(db, now, group.begin);
  const changes = db.prepare('select total_changes() as count');
  const startedAt = now();

  return {
    accounts,
    apps: createApps(db, now),
    tokens,
    media: createMedia(db, now),
    posts,
    reactions: createReactions(db),
    records: createRecords(db, now),
    files,
    ids: createIds(now),
    /** Changes with every write, and between processes: what a page may compare to know that it is out of date. */
    version: (): string => `${startedAt}-${(changes.get() as { count: number }).count}`,
    reset({ network, keepAccounts }: { network?: string | undefined; keepAccounts: boolean }): void {
      const emptied = keepAccounts ? tables.filter((table) => !tablesOfAccounts.includes(table)) : tables;
      for (const table of emptied) {
        if (network === undefined) db.exec(`delete from ${table}`);
        else db.prepare(`delete from ${table} where network = ?`).run(network);
      }
      for (const part of [accounts, tokens, posts]) part.forget();
      if (network === undefined) files.clear();
    },
    /** To be awaited before any answer is sent. */
    settled: group.settled,
    close(): void {
      group.commit();
      db.close();
      if (folder === null) rmSync(root, { recursive: true, force: true });
    },
  };
}

export type Store = ReturnType<typeof openStore>;
