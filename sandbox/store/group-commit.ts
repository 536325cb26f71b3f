import type { DatabaseSync } from 'node:sqlite';

/**
 * One transaction for all that is written in one turn of the event loop: under load dozens of posts share the cost of
 * a commit. Nothing may be answered before `settled`, so that what a client was told survives the end of the process.
 */
export function createGroupCommit(db: DatabaseSync) {
  let settled: Promise<void> | undefined;
  const commit = () => {
    if (settled) db.exec('commit');
    settled = undefined;
  };
  return {
    begin(): void {
      if (settled) return;
      db.exec('begin');
      settled = new Promise((resolve) => {
        setImmediate(() => {
          commit();
          resolve();
        });
      });
    },
    settled: (): Promise<void> | undefined => settled,
    commit,
  };
}
