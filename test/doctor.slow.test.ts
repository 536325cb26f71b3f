import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { type DataFolder, dataFolder, environmentOf, runProgram, startCrier } from './support/processes/crier.ts';
import { certificateFor } from './support/servers/certificate.ts';

const doctor = (environment: Record<string, string>, ...args: string[]) =>
  runProgram(['src/admin.ts', 'doctor', ...args], environment);

async function aFolder(): Promise<DataFolder> {
  const folder = await dataFolder();
  onTestFinished(() => folder.remove());
  return folder;
}

test('a running Crier is well, in words and as JSON', async () => {
  const crier = await startCrier({ folder: await aFolder() });
  const said = await doctor(crier.environment);
  expect(said.stdout).toMatch(/^ok {3}database {12}PostgreSQL \d+ responds in \d+ ms\.$/m);
  expect(said.stdout).toMatch(/^ok {3}service {13}Workers: 1\./m);
  expect(said.code).toBe(0);
  const { code, stdout } = await doctor(crier.environment, '--json');
  const answer = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect([code, answer.ok]).toEqual([0, true]);
  expect(answer.checks).toContainEqual({ name: 'migrations', status: 'ok', detail: expect.any(String) });
  await crier.stop();
});

test.each([['doctor'], ['backup', '--to', 'never-made'], ['migrate', '--plan']])(
  'without data, %s says so and makes none: the settings are likely others than those of the service',
  async (...command) => {
    const folder = await aFolder();
    const { code, stdout, stderr } = await runProgram(['src/admin.ts', ...command], environmentOf({ folder }));
    expect([code, stdout + stderr]).toEqual([
      1,
      expect.stringContaining(`There is no Crier data in ${folder.dataDir}. `),
    ]);
    expect(existsSync(folder.dataDir)).toBe(false);
  },
);

test('a database that does not answer is a line and exit code 1, not a stack', async () => {
  const environment = environmentOf({
    folder: await aFolder(),
    environment: { DATABASE_URL: 'postgres://crier:hush@127.0.0.1:1/crier' },
  });
  const { code, stdout, stderr } = await doctor(environment);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fail start {15}Cannot connect to the database 127\.0\.0\.1:1\/crier: /);
  expect(stdout + stderr).not.toMatch(/hush| {4}at /);
});

test('a database whose certificate is of an unknown authority: the advice names the variable for one', async () => {
  const secure = certificateFor('localhost');
  // A PostgreSQL that accepts TLS, the first step of a connection.
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, ...secure }).on('error', () => {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const environment = environmentOf({
    folder: await aFolder(),
    environment: { DATABASE_URL: `postgres://crier@127.0.0.1:${port}/crier?sslmode=verify-full` },
  });
  const { code, stdout } = await doctor(environment);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fail start {15}Cannot connect to the database .*: self-signed certificate/);
  expect(stdout).toContain('set NODE_EXTRA_CA_CERTS to the file with its certificate');
});
