import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, openEmbedded } from '../../../src/foundation/db/embedded/embedded.ts';

/** For disposable data: several times faster, but a crash of the machine may corrupt it. */
export const carelessSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Tests open thousands of connections, each of which authenticates by password, and drop their tables soon. */
const shortLivedSettings = { ...carelessSettings, scram_iterations: '1', autovacuum: 'off' };

export const silentLog = { info() {}, warn() {} };

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * A folder that is removed at the latest when this process exits, even by Ctrl-C or `kill -9`. So are the embedded
 * servers in it: a shell waits for the end of its input, which only this process holds open.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'crier-test-'));
  // When run as root, the server runs as another user, who needs access here.
  await chmod(path, 0o711);
  const remover = spawn('/bin/sh', ['-c', removeAfterInputEnds, 'sh', path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const removed = once(remover, 'exit');
  remover.unref();
  if ('unref' in remover.stdin && typeof remover.stdin.unref === 'function') remover.stdin.unref();
  return {
    path,
    async remove() {
      remover.ref();
      remover.stdin.end();
      await removed;
    },
  };
}

const removeAfterInputEnds = `
cat > /dev/null
for file in "$1"/*/cluster/postmaster.pid "$1"/*/*/cluster/postmaster.pid; do
  pid=$(head -n 1 "$file") || continue
  kill -QUIT "$pid"
  tries=0
  while kill -0 "$pid" && [ -e "$file" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
done
rm -rf "$1"
# What was just being started had no pid file yet.
(
  sleep 1
  for file in $(grep -lsF "$1/" /proc/[0-9]*/cmdline); do
    process=\${file%/cmdline}
    kill -QUIT "\${process#/proc/}"
  done
  rm -rf "$1"
) &
`;

/** An embedded server in a temporary folder. `close()` removes it with all its data. */
export async function temporaryServer(): Promise<Embedded & { close(): Promise<void> }> {
  const folder = await temporaryFolder();
  try {
    const server = await openEmbedded({
      folder: join(folder.path, 'postgres'),
      log: silentLog,
      settings: shortLivedSettings,
    });
    return {
      ...server,
      async close() {
        await server.release();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
