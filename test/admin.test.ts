import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DataFolder, dataFolder, runProgram } from './support/crier-process.ts';
import { type TestService, testService } from './support/service.ts';

// Starting a process takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
let folder: DataFolder;
beforeAll(async () => {
  [service, folder] = await Promise.all([testService(), dataFolder()]);
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

const admin = (...args: string[]) =>
  runProgram(['src/admin/main.ts', ...args], { DATA_DIR: folder.dataDir, DATABASE_URL: service.database.url });

test('an unknown command is reported in a sentence, with exit code 1', async () => {
  const { code, stdout, stderr } = await admin('create-usr');
  expect(code).toBe(1);
  expect(stderr).toMatch(/unknown command 'create-usr'\n\(Did you mean create-user\?\)/);
  expect(stderr).not.toContain('    at ');
  expect(stdout).toBe('');
});

test('create-user creates an account and a key that works at once', async () => {
  const { code, stdout } = await admin(
    ...['create-user', '--email', 'Ada@Example.com', '--password', 'correct horse', '--plan', 'agency', '--json'],
  );
  expect(code).toBe(0);
  const made = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(made).toEqual({ userId: expect.any(String), email: 'ada@example.com', apiKey: expect.any(String) });
  const url = `/api/v1/get-post/${'0'.repeat(24)}`;
  const answer = await service.server.inject({ url, headers: { 'x-service-key': made.apiKey } });
  expect(answer.statusCode).toBe(404);
});

test('the switches of an account print what they did, and work while Crier runs', async () => {
  const { id, apiKey } = await service.aUser();
  const ask = async (client = 'api') => {
    const headers = { 'x-service-key': apiKey, 'x-service-client': client };
    return (await service.server.inject({ url: '/api/v1/platform-connections', headers })).json().error ?? 'works';
  };
  // A running process learns of it by a notification, which takes a moment.
  const soon = (look: () => Promise<string>, expected: string) =>
    vi.waitFor(async () => expect(await look()).toBe(expected));
  const printed = async (...args: string[]) =>
    JSON.parse((await admin(...args, '--json')).stdout.trim().split('\n').at(-1)!);
  const user = ['--user', id];
  expect(await printed('set-access', ...user, '--mcp', 'off')).toMatchObject({ userId: id, mcp: false });
  await soon(() => ask('mcp'), 'MCP access is not enabled for this account');
  await soon(() => ask(), 'works');
  expect(await printed('set-access', ...user, '--api', 'off')).toMatchObject({ api: false });
  await soon(() => ask(), 'API access is not enabled for this account');
  expect(await printed('set-access', ...user, '--api', 'on', '--workspace', 'on')).toMatchObject({ workspace: true });
  await soon(() => ask(), 'works');
  expect(await printed('deactivate-user', ...user)).toMatchObject({ isActive: false });
  await soon(() => ask(), 'Invalid API key owner');
  expect(await printed('activate-user', ...user)).toMatchObject({ isActive: true });
  await soon(() => ask(), 'works');
  expect(await printed('set-role', ...user, '--role', 'admin')).toMatchObject({ role: 'admin' });
  const until = '2031-01-01T00:00:00.000Z';
  expect(await printed('hold-user', ...user, '--reason', 'Unpaid', '--until', until)).toMatchObject({
    onHold: true,
    holdReason: 'Unpaid',
    holdExpiresAt: until,
  });
  expect(await printed('release-user', ...user)).toMatchObject({ onHold: false });
});

test('a switch without a value, or with a wrong one, says what to write', async () => {
  const [none, wrong] = await Promise.all([
    admin('set-access', '--user', 'ada@example.com'),
    admin('set-access', '--user', 'ada@example.com', '--api', 'maybe'),
  ]);
  expect([none!.code, none!.stderr]).toEqual([1, expect.stringContaining('--api, --mcp or --workspace')]);
  expect([wrong!.code, wrong!.stderr]).toEqual([1, expect.stringContaining('Use on or off.')]);
});
