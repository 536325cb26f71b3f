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

const lastLine = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
const tokenIn = (link: string) => new URL(link).searchParams.get('token');
const post = (path: string, payload: object) =>
  service.server.inject({ method: 'POST', url: `/api/v1/auth/${path}`, payload });

test('invite prints a link with which that person signs up, and is in the audit log', async () => {
  const { code, stdout } = await admin('invite', '--email', 'Guest@Example.com', '--plan', 'agency', '--json');
  expect(code).toBe(0);
  const made = lastLine(stdout);
  expect(made).toEqual({
    email: 'guest@example.com',
    link: expect.stringContaining('/sign-up?token='),
    expiresAt: expect.any(String),
    mailed: true,
  });
  const person = { email: 'guest@example.com', password: 'correct horse', token: tokenIn(made.link) };
  const answer = await post('signup', person);
  expect([answer.statusCode, answer.json().user?.plan]).toEqual([200, 'agency']);
  const entries = service.app.db.selectFrom('audit_log').select(['actor_kind', 'actor_id']);
  const [entry] = await entries.where('user_id', '=', answer.json().user._id).where('event', '=', 'invited').execute();
  expect(entry).toEqual({ actor_kind: 'operator', actor_id: expect.any(String) });
});

test('invite says in a sentence why it is refused', async () => {
  await service.aUser();
  const { code, stdout, stderr } = await admin('invite', '--email', 'user1@example.com');
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringContaining('An account with this email already exists.'),
  ]);
});

test('reset-password prints a link with which the user sets a new password, without mail', async () => {
  const { id } = await service.aUser();
  const { code, stdout } = await admin('reset-password', '--user', id, '--json');
  expect(code).toBe(0);
  const made = lastLine(stdout);
  expect(made).toMatchObject({ userId: id, link: expect.stringContaining('/reset-password?token=') });
  const newPassword = 'copper lantern drifting';
  expect((await post('password/reset', { token: tokenIn(made.link), newPassword })).statusCode).toBe(200);
  expect((await post('signin', { email: made.email, password: newPassword })).statusCode).toBe(200);
});

test('create-user refuses a password that is easy to guess', async () => {
  const { code, stderr } = await admin('create-user', '--email', 'weak@example.com', '--password', 'sunshine1');
  expect([code, stderr]).toEqual([1, expect.stringContaining('This password is too easy to guess.')]);
});

test('create-key limits a key to scopes, addresses and a time', async () => {
  const { id } = await service.aUser();
  const limits = ['--scopes', 'write, read', '--addresses', '::ffff:10.1.2.3/104', '--expires', '2100-01-01T00:00:00Z'];
  const { code, stdout } = await admin('create-key', '--user', id, ...limits, '--json');
  expect(code).toBe(0);
  const { keyId, apiKey } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const row = await service.app.db
    .selectFrom('api_keys')
    .select(['scopes', 'allowed_addresses as addresses', 'expires_at as expiresAt'])
    .where('id', '=', keyId)
    .executeTakeFirst();
  expect(row).toEqual({
    scopes: ['read', 'write'],
    addresses: ['10.0.0.0/8'],
    expiresAt: new Date('2100-01-01T00:00:00Z'),
  });
  const request = { url: '/api/v1/platform-limits', headers: { 'x-service-key': apiKey } };
  expect((await service.server.inject({ ...request, remoteAddress: '10.9.9.9' })).statusCode).toBe(200);
  expect((await service.server.inject(request)).json().code).toBe('ADDRESS_NOT_ALLOWED');
  const entry = await service.app.db
    .selectFrom('audit_log')
    .select(['event', 'actor_kind as actor'])
    .where('user_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  expect(entry).toEqual({ event: 'api_key_created', actor: 'operator' });
});

test.each([
  ['--scopes', 'read,everything', 'Use any of read, write, media, webhooks, workspace.'],
  ['--addresses', '10.0.0.1,localhost', '"localhost" is neither an IP address nor a CIDR range.'],
  ['--expires', 'tomorrow', 'Use a time such as'],
  ['--expires', '2001-01-01T00:00:00Z', 'expiresAt must be in the future'],
])('create-key %s %s is refused with what to write', async (option, value, says) => {
  const { id } = await service.aUser();
  const { code, stderr } = await admin('create-key', '--user', id, option, value);
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
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
