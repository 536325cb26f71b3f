// Builds the image of the Dockerfile without access to an image registry, and runs it: npm run test:image
import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../real/servers/server.ts';
import { temporaryFolder } from '../support/database/temporary-server.ts';
import { root } from '../support/processes/crier.ts';

const baseImages = {
  debian: 'docker.io/library/debian:bookworm-slim',
  node: 'docker.io/library/node:22-bookworm-slim',
};
const readyLimitMs = 120_000;

const missing = ['buildah', 'debootstrap', 'npm'].filter((name) => spawnSync('which', [name]).status !== 0);
if (missing.length > 0 || process.getuid?.() !== 0) {
  console.error(
    `It needs root and Debian's packages buildah and debootstrap. Missing: ${missing.join(', ') || 'root'}.`,
  );
  process.exit(1);
}
const folder = await temporaryFolder();
const storage = ['--root', join(folder.path, 'storage'), '--runroot', join(folder.path, 'run')];
const environment = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };

try {
  await makeBaseImages();
  const { seconds: buildSeconds } = await timed('build', () =>
    buildah('build', '--pull-never', '--format', 'docker', '-t', 'crier', root),
  );
  const container = await buildah('from', '--pull-never', 'localhost/crier');
  const run = await runImage(container);
  const size = await buildah('images', '--format', '{{.Size}}', 'localhost/crier');
  console.log(JSON.stringify({ buildSeconds, size, ...run }));
} finally {
  await buildah('rm', '--all').catch(() => '');
  await folder.remove();
}

/** Builds the Dockerfile's base images from Debian and npm packages: no image registry is needed. */
async function makeBaseImages() {
  const debian = join(folder.path, 'debian');
  await timed('debootstrap', () => program('debootstrap', '--variant=minbase', 'bookworm', debian));
  await program('chroot', debian, 'apt-get', 'clean');
  const bare = await buildah('from', 'scratch');
  await buildah('copy', bare, debian, '/');
  await buildah('commit', '--rm', bare, baseImages.debian);

  const packages = join(folder.path, 'node');
  await program('npm', 'install', '--prefix', packages, 'node@22.23.3', 'npm@10.9.4');
  const image = await buildah('from', '--pull-never', baseImages.debian);
  await buildah('copy', image, join(packages, 'node_modules/node/bin/node'), '/usr/local/bin/node');
  await buildah('copy', image, join(packages, 'node_modules/npm'), '/usr/local/lib/node_modules/npm');
  const links = ['npm', 'npx'].map((name) => `ln -s ../lib/node_modules/npm/bin/${name}-cli.js /usr/local/bin/${name}`);
  const install = 'apt-get update && apt-get install -y --no-install-recommends ca-certificates libatomic1';
  await buildah('run', image, '--', 'sh', '-c', [install, ...links].join(' && '));
  // A private certificate authority that this machine trusts for the package registry.
  const authority = process.env.NODE_EXTRA_CA_CERTS;
  if (authority) {
    await buildah('copy', image, authority, '/etc/extra-authority.pem');
    await buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/extra-authority.pem', image);
  }
  await buildah('commit', '--rm', image, baseImages.node);
}

/** Runs it as Docker would: its entry point, as its user, until the health check passes. */
async function runImage(container: string) {
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/crier'));
  const { User, Entrypoint, Cmd, Healthcheck } = Docker.config;
  const ports = [`PORT=${await freePort()}`, `SANDBOX_PORT=${await freePort()}`, 'HOST=127.0.0.1'];
  const inside = ['run', '--user', User, ...ports.flatMap((port) => ['--env', port]), container, '--'];
  const [, check] = Healthcheck.Test as [string, string];

  const options = { env: environment, stdio: 'ignore', detached: true } as const;
  const crier = spawn('buildah', [...storage, ...inside, ...Entrypoint, ...Cmd], options);
  const ended = new Promise<number | null>((resolve) => crier.once('exit', resolve));
  try {
    const { seconds: readySeconds } = await timed('start', () =>
      untilHealthy(() => buildah(...inside, 'sh', '-c', check)),
    );
    console.log(await buildah(...inside, 'crier-admin', 'doctor'));
    const written = await buildah(...inside, 'sh', '-c', 'touch /app/x || id -un');
    if (written !== User) throw new Error('The user of the image can write to the program.');

    const { pid } = JSON.parse(await buildah(...inside, 'sh', '-c', 'cat /data/ready.json'));
    const init = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[3];
    const { seconds: stopSeconds, result } = await timed('stop', async () => {
      process.kill(Number(init), 'SIGTERM');
      return ended;
    });
    if (result !== 0) throw new Error(`It ended with ${result}.`);
    return { readySeconds, stopSeconds };
  } finally {
    // If it was stopped above, nothing is left to kill.
    if (crier.exitCode === null) process.kill(-crier.pid!, 'SIGTERM');
    await ended;
  }
}

async function untilHealthy(check: () => Promise<unknown>) {
  for (const deadline = Date.now() + readyLimitMs; ; await sleep(500)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function program(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(name, args, { env: environment, maxBuffer: 1e9 });
  return stdout.trim();
}

function buildah(...args: string[]): Promise<string> {
  return program('buildah', ...storage, ...args);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const started = performance.now();
  const result = await work();
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  console.log(`${what}: ${seconds} s`);
  return { seconds, result };
}
