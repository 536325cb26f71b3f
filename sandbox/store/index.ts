import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createAccounts } from './accounts.ts';
import { createApps } from './apps.ts';
import { createFiles } from './files.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIds } from './ids.ts';
import { createMails } from './mails.ts';
import { createMedia } from './media.ts';
import { createPosts } from './posts.ts';
import { pruneOld } from './prune.ts';
import { createReactions } from './reactions.ts';
import { createRecords } from './records.ts';
import { schema, tables, tablesOfAccounts } from './schema.ts';
import { createTokens } from './tokens.ts';

/** Opens everything that outlives a request. With `folder: null`, nothing outlives the process. */
export function openStore(folder: string | null, now: () => number) {
  const root = folder ?? mkdtempSync(join(tmpdir(), 'crier-sandbox-'));
  mkdirSync(root, { recursive: true });
  const db = new DatabaseSync(folder === null ? ':memory:' : join(root, 'sandbox.db'));
  // The data must survive the end of the process, not of the machine, so there is no fsync. One process owns the file:
  // with an exclusive lock, held throughout, a publish takes half the time.
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
    mails: createMails(db, now),
    media: createMedia(db, now),
    posts,
    reactions: createReactions(db),
    records: createRecords(db, now),
    files,
    ids: createIds(now),
    /** Changes with every write and with every start. A page compares it to learn whether it is out of date. */
    version: (): string => `${startedAt}-${(changes.get() as { count: number }).count}`,
    reset({ platform, keepAccounts }: { platform?: string | undefined; keepAccounts: boolean }): void {
      const emptied = keepAccounts ? tables.filter((table) => !tablesOfAccounts.includes(table)) : tables;
      for (const table of emptied) {
        if (platform === undefined) db.exec(`delete from ${table}`);
        else db.prepare(`delete from ${table} where network = ?`).run(platform);
      }
      for (const part of [accounts, tokens, posts]) part.forget();
      if (platform !== undefined) return;
      db.exec('delete from mails');
      files.clear();
    },
    prune(before: number): void {
      const pruned = pruneOld(db, before);
      if (pruned.posts > 0) posts.forget();
      for (const sha256 of pruned.files) files.remove(sha256);
    },
    secrets(): string[] {
      const rows = db.prepare('select token as secret from tokens union select client_secret from apps').all();
      return rows.map(({ secret }) => String(secret));
    },
    /** Every response must wait for this. */
    committed: group.committed,
    close(): void {
      group.commit();
      db.close();
      if (folder === null) rmSync(root, { recursive: true, force: true });
    },
  };
}

export type Store = ReturnType<typeof openStore>;
