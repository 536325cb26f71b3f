import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { Crier } from '../../client/src/index.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { CannotRun, describeServer, freePort, startProcess, untilAnswers } from '../real/servers/server.ts';
import { testDatabase } from '../support/database/postgres.ts';
import { temporaryFolder } from '../support/database/temporary-server.ts';
import { type CrierProcess, dataFolder, root, runProgram, startCrier } from '../support/processes/crier.ts';
import { startS3 } from '../support/servers/s3.ts';
import { sandboxControl } from '../support/servers/sandbox-control.ts';
import { type Machine, openNetwork } from './namespaces.ts';
import { findPrograms } from './programs.ts';

/** The network of the test. The guide uses 10.0.0. */
const prefix = '10.77.0';
const guide = ['docs/machines.md', 'docs/balancer.md'].map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
const minutes = 60_000;

/** Two machines with Crier, as docs/machines.md sets them up; database, bucket and balancer are on this one. */
await describeServer('Two machines', start, ({ machines, criers, publicUrl, apiKey, sandboxUrl, doctor, close }) => {
  afterAll(close);
  const crier = new Crier({ baseUrl: `${publicUrl}/api/v1`, apiKey });
  const post = async (content: string) => {
    const { connections } = await crier.listConnections();
    const target = connections.find(({ platform }) => platform === 'mastodon')!;
    return crier.createPost({ content, platforms: [target.platformId], publishNow: true });
  };
  const arrived = async (content: string) => {
    const posts = await sandboxControl(sandboxUrl)<{ text: string }[]>('GET', '/posts');
    return posts.filter(({ text }) => text === content).length;
  };

  const openStream = async (signal: AbortSignal) => {
    const { body } = await fetch(`${publicUrl}/api/v1/events`, { headers: { 'x-service-key': apiKey }, signal });
    const stream = { isOver: false };
    void body!
      .pipeTo(new WritableStream())
      .catch(() => {})
      .finally(() => {
        stream.isOver = true;
      });
    return stream;
  };

  test(
    'both are healthy by `doctor`, and a post that the balancer takes is published once',
    async () => {
      for (const [index, machine] of machines.entries()) {
        const { code, output } = await doctor(machine, criers[index]!);
        expect([code, output]).toEqual([0, expect.stringMatching(/^ok +database/m)]);
        expect(output).not.toMatch(/^fail/m);
      }
      const { postGroupId } = await post('From two machines');
      // If a machine vanishes before it stores the outcome, the other one takes over the account after 90 s.
      await expect
        .poll(async () => (await crier.getPost({ postGroupId })).posts.map(({ status }) => status), { timeout: 30_000 })
        .toEqual(['published']);
      expect(await arrived('From two machines')).toBe(1);
    },
    2 * minutes,
  );

  test(
    'without one of them, the other answers and publishes, and event streams break off, so that clients open new ones',
    async () => {
      const done = new AbortController();
      onTestFinished(() => done.abort());
      const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(done.signal)));
      await machines[0]!.cut();
      const cutAt = performance.now();
      await expect
        .poll(() => fetch(`${publicUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok), {
          timeout: 20_000,
        })
        .toBe(true);
      const texts = Array.from({ length: 10 }, (_, index) => `Without the first machine ${index}`);
      for (const text of texts) await post(text);
      for (const text of texts) await expect.poll(() => arrived(text), { timeout: 60_000 }).toBe(1);
      console.log(`ten posts were out ${((performance.now() - cutAt) / 1000).toFixed(1)} s after the plug was pulled`);
      await expect.poll(() => streams.some(({ isOver }) => isOver), { timeout: 30_000 }).toBe(true);
      console.log(`streams broke off ${((performance.now() - cutAt) / 1000).toFixed(1)} s after it, at the latest`);
      expect(streams.every(({ isOver }) => isOver)).toBe(false);
      await machines[0]!.repair();
      await expect
        .poll(
          () =>
            fetch(`http://${machines[0]!.address}:3000/readyz`)
              .then(({ ok }) => ok)
              .catch(() => false),
          {
            timeout: 60_000,
          },
        )
        .toBe(true);
      await sleep(2_000);
      for (const text of texts) expect(await arrived(text)).toBe(1);
    },
    4 * minutes,
  );
});

async function start() {
  await using stack = new AsyncDisposableStack();
  const network = await openNetwork(prefix, stack);
  const { haproxy } = (await findPrograms(null)).paths;
  const [database, s3, sandbox] = await Promise.all([
    testDatabase(),
    startS3(),
    startSandbox({ port: 0, host: '127.0.0.1', folder: null }),
  ]);
  stack.defer(() => database.close());
  stack.use(s3);
  stack.defer(() => sandbox.close());
  await database.pool.query('drop schema public cascade; create schema public');
  const publish = async (port: string) => {
    forward(stack, [], `${network.address}:${port}`, `127.0.0.1:${port}`);
    return `${network.address}:${port}`;
  };
  const databaseUrl = new URL(database.url);
  databaseUrl.host = await publish(databaseUrl.port);
  // A socket address would bypass the network.
  databaseUrl.searchParams.delete('host');
  const { endpoint, bucket, region, credentials } = s3.bucket;
  const endpointUrl = new URL(endpoint ?? '');
  endpointUrl.host = await publish(endpointUrl.port);
  const storage = new URLSearchParams({ region, endpoint: endpointUrl.origin, ...credentials });
  const sandboxPort = new URL(sandbox.url).port;
  await publish(sandboxPort);

  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const apiPort = await freePort();
  const publicUrl = `http://${network.address}:${apiPort}`;
  const configuration = join(folder.path, 'haproxy.cfg');
  const listen = ofThisNetwork(blockWith('listen crier'))
    .replace(`${network.address}:80`, `${network.address}:${apiPort}`)
    // Without TLS, because this network has no host names.
    .replaceAll(/^.*ssl.*\n/gm, '');
  await writeFile(configuration, `defaults\n    timeout connect 2s\n${listen}`);

  const machines: Machine[] = [];
  const criers: CrierProcess[] = [];
  for (const [name, number] of [
    ['a', 21],
    ['b', 22],
  ] as const) {
    const machine = await network.addMachine(name, `${prefix}.${number}`);
    // The sandbox stands in for the networks, which are the same for all machines. It listens on the loopback address
    // of one.
    forward(stack, machine.launcher, `127.0.0.1:${sandboxPort}`, `${network.address}:${sandboxPort}`);
    const data = await dataFolder();
    stack.defer(() => data.remove());
    const environment = {
      ...settingsOfGuide(),
      NETWORKS: 'sandbox',
      DATABASE_URL: databaseUrl.href,
      STORAGE_URL: `s3://${bucket}?${storage.toString().replaceAll('+', '%20')}`,
      SECRET_KEY: '5e'.repeat(32),
      PUBLIC_URL: publicUrl,
      HOST: machine.address,
      PORT: '3000',
      SANDBOX_PORT: sandboxPort,
      LOG_LEVEL: 'warn',
    };
    const crier = await startCrier({ folder: data, environment, launcher: machine.launcher });
    stack.defer(async () => void (await crier.stop()));
    machines.push(machine);
    criers.push(crier);
  }
  const balancer = startProcess(haproxy, ['-db', '-f', configuration]);
  stack.defer(() => balancer.stop());
  await untilAnswers(`${publicUrl}/readyz`, balancer);
  const running = stack.move();
  const [first] = criers;
  if (!first?.ready.demo) throw new CannotRun('the first machine has no demo account');
  return {
    name: 'Two machines behind a balancer',
    machines,
    criers,
    publicUrl,
    apiKey: first.ready.demo.apiKey,
    sandboxUrl: sandbox.url,
    doctor,
    close: () => running.disposeAsync(),
  };
}

/** Runs `npm run admin -- doctor` on that machine. */
async function doctor({ launcher }: Machine, { environment }: CrierProcess) {
  const { code, stdout, stderr } = await runProgram(['src/admin.ts', 'doctor'], environment, launcher);
  return { code, output: stdout + stderr };
}

function forward(stack: AsyncDisposableStack, launcher: readonly string[], near: string, far: string) {
  const [program = '', ...args] = [...launcher, process.execPath, join(root, 'test/cluster/forward.ts'), near, far];
  const server = startProcess(program, args);
  stack.defer(() => server.stop());
}

/** The variables of `crier.env` in the guide. */
function settingsOfGuide(): Record<string, string> {
  const lines = ofThisNetwork(blockWith('# /etc/crier/crier.env')).matchAll(/^([A-Z_]+)=(\S+)/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

function blockWith(words: string): string {
  const block = [...guide.matchAll(/```\w*\n([\s\S]*?)```/g)]
    .map(([, text = '']) => text)
    .find((text) => text.includes(words));
  if (block === undefined) throw new Error(`The guide has no block with "${words}".`);
  return block;
}

function ofThisNetwork(text: string): string {
  return text.replaceAll(/\b10\.0\.0\./g, `${prefix}.`);
}
