import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../src/config/config.ts';
import type { Ready } from '../src/startup/ready-file.ts';

export const root = fileURLToPath(new URL('../', import.meta.url));
const startLimitMs = 60_000;

/** A running Crier with a demo account and a sandbox. */
export interface Crier {
  ready: Ready & { demo: NonNullable<Ready['demo']> };
  /** Lets the admin command find it. */
  environment: Record<string, string | undefined>;
  /** Whether the demo started it, now or in an earlier run. */
  isOurs: boolean;
}

/** An error that the user of the demo can fix. It is shown without a stack. */
export class DemoError extends Error {}

/** Returns the Crier that runs on DATA_DIR, or starts one, which keeps running after the demo. */
export async function openCrier(): Promise<Crier> {
  const { dataDir } = readConfig();
  const ownDir = join(dataDir, 'demo');
  return (
    (await findCrier(dataDir, { ...process.env, DATA_DIR: dataDir }, false)) ??
    (await findCrier(ownDir, environmentFor(ownDir), true)) ??
    (await startCrier(ownDir))
  );
}

async function findCrier(dataDir: string, environment: Crier['environment'], isOurs: boolean): Promise<Crier | null> {
  const ready = await readReady(dataDir);
  // A killed Crier leaves its ready file behind.
  if (!ready || !isAlive(ready.pid)) return null;
  console.log(`Using the Crier that runs at ${ready.url}.`);
  return { ready, environment, isOurs };
}

/** Excludes the configuration of the real service. An empty value counts as absent. */
function environmentFor(dataDir: string): Crier['environment'] {
  const absent = ['DATABASE_URL', 'STORAGE_URL', 'ROLES', 'PUBLIC_URL', 'HOST', 'DEFAULT_PLAN'];
  return {
    ...process.env,
    ...Object.fromEntries(absent.map((name) => [name, ''])),
    DATA_DIR: dataDir,
    PORT: '0',
    SANDBOX_PORT: '0',
    NETWORKS: 'sandbox',
  };
}

async function startCrier(dataDir: string): Promise<Crier> {
  console.log('No Crier with a demo account is running here: starting one …');
  const environment = environmentFor(dataDir);
  const logFile = join(dataDir, 'crier.log');
  await mkdir(dataDir, { recursive: true });
  const log = await open(logFile, 'a');
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  await log.close();
  child.unref();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      child.kill('SIGTERM');
      process.exit(130);
    });
  }
  for (const deadline = Date.now() + startLimitMs; Date.now() < deadline && child.exitCode === null; await sleep(50)) {
    const ready = await readReady(dataDir);
    if (ready && ready.pid === child.pid) return { ready, environment, isOurs: true };
  }
  child.kill('SIGTERM');
  throw new DemoError(`Crier did not start. ${logFile} says why.`);
}

/** Null if there is no ready file yet, or it has no demo account. */
async function readReady(dataDir: string): Promise<Crier['ready'] | null> {
  const ready: Ready | null = await readFile(join(dataDir, 'ready.json'), 'utf8').then(JSON.parse, () => null);
  return ready?.demo ? { ...ready, demo: ready.demo } : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
