import type { DatabaseSync } from 'node:sqlite';

/**
 * Puts all writes of one event loop turn into one transaction: under load, dozens of posts share one commit. A response
 * must wait for `committed`, so that everything reported to a client survives the end of the process.
 */
export function createGroupCommit(db: DatabaseSync) {
  let committed: Promise<void> | undefined;
  const commit = () => {
    if (committed) db.exec('commit');
    committed = undefined;
  };
  return {
    begin(): void {
      if (committed) return;
      db.exec('begin');
      committed = new Promise((resolve) => {
        setImmediate(() => {
          commit();
          resolve();
        });
      });
    },
    committed: (): Promise<void> | undefined => committed,
    commit,
  };
}
