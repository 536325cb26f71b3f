import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findUser } from '../src/features/accounts/operator/users.ts';
import { fromBase32 } from '../src/foundation/lib/base32.ts';
import { totpCode, totpStep } from '../src/foundation/lib/totp.ts';
import { eventually } from './support/eventually.ts';
import { type DataFolder, dataFolder, runProgram } from './support/processes/crier.ts';
import { type TestService, testService } from './support/service/service.ts';
import { testPassword } from './support/service/user.ts';

// Starting a process is slow on a busy machine.
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
  runProgram(['src/admin.ts', ...args], { DATA_DIR: folder.dataDir, DATABASE_URL: service.database.url });

/** The object on the last line. */
const printedBy = ({ stdout }: { stdout: string }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
/** Actions of operators. The test's own setup is recorded as the system's. */
const auditOf = async (userId: string) => {
  const text = `select event, actor_kind as kind, details from audit_log
    where user_id = $1 and actor_kind = 'operator' order by id`;
  return (await service.database.pool.query(text, [userId])).rows;
};

test('an unknown command is reported in a sentence, with exit code 2', async () => {
  const { code, stdout, stderr } = await admin('create-usr');
  expect(code).toBe(2);
  expect(stderr).toMatch(/unknown command 'create-usr'\n\(Did you mean create-user\?\)/);
  expect(stderr).not.toContain('    at ');
  expect(stdout).toBe('');
});

test('create-user creates an account and a key that works immediately', async () => {
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
const post = (path: string, payload: object, accessToken?: string) => {
  const headers = accessToken ? { authorization: `Bearer ${accessToken}` } : {};
  return service.server.inject({ method: 'POST', url: `/api/v1/auth/${path}`, payload, headers });
};

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

test('invite says where the mail goes: in the sandbox no one gets it', async () => {
  const sandbox = await admin('invite', '--email', 'nobody@example.com');
  expect(sandbox.stdout).toMatch(
    /^nobody@example\.com can sign up until \S+Z\. The sandbox sends no real mail: give the link to the person\. The sandbox page \/mail /m,
  );
  expect(sandbox.stdout).toMatch(/^Link {2}http\S+\/sign-up\?token=/m);
  expect(sandbox.stdout).not.toContain('by mail');
  const mailed = await runProgram(['src/admin.ts', 'invite', '--email', 'somebody@example.com'], {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: service.database.url,
    MAIL_URL: 'smtps://mail.example.com',
  });
  expect(mailed.stdout).toMatch(
    /^somebody@example\.com can sign up until \S+Z\. The link is sent to the person by mail\.$/m,
  );
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

test('disable-two-factor lets a user who lost everything sign in with the password, with a mail and an audit entry', async () => {
  const { id } = await service.aUser();
  const { email } = await findUser(service.app, id);
  const signIn = async () => (await post('signin', { email, password: testPassword })).json();
  const { accessToken } = await signIn();
  const { secret } = (await post('two-factor/start', { password: testPassword }, accessToken)).json();
  const code = totpCode(fromBase32(secret), totpStep(service.app.clock.now()));
  expect((await post('two-factor/confirm', { code }, accessToken)).statusCode).toBe(200);
  expect(await signIn()).toHaveProperty('twoFactorToken');

  const { code: exitCode, stdout } = await admin('disable-two-factor', '--user', email, '--json');
  expect([exitCode, lastLine(stdout)]).toEqual([0, { userId: id, email, twoFactor: false }]);
  expect(await signIn()).toHaveProperty('accessToken');
  expect(await auditOf(id)).toContainEqual({ event: 'two_factor_disabled', kind: 'operator', details: {} });
  const mails = service.app.db.selectFrom('mails').select('kind').where('recipient', '=', email);
  expect(await mails.where('kind', '=', 'two_factor_disabled').execute()).toHaveLength(1);

  const again = await admin('disable-two-factor', '--user', email);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Two-factor sign-in is not on.')]);
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
  ['--scopes', 'read,everything', 2, 'Use any of read, write, media, webhooks, workspace.'],
  ['--addresses', '10.0.0.1,localhost', 2, '"localhost" is neither an IP address nor a CIDR range.'],
  ['--expires', 'tomorrow', 2, 'Use a time such as'],
  ['--expires', '2001-01-01T00:00:00Z', 1, 'expiresAt must be in the future'],
])('create-key %s %s is refused with what to write', async (option, value, exitCode, says) => {
  const { id } = await service.aUser();
  const { code, stderr } = await admin('create-key', '--user', id, option, value);
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining(says)]);
});

test('the switches of an account print what they did, and work while Crier runs', async () => {
  const { id, apiKey } = await service.aUser();
  const ask = async (client = 'api') => {
    const headers = { 'x-service-key': apiKey, 'x-service-client': client };
    return (await service.server.inject({ url: '/api/v1/platform-connections', headers })).json().error ?? 'works';
  };
  // A running process learns of it through a notification, which takes a moment.
  const soon = (look: () => Promise<string>, expected: string) =>
    eventually(async () => expect(await look()).toBe(expected));
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
  expect(await printed('set-plan', ...user, '--plan', 'agency')).toMatchObject({ plan: 'agency' });
  expect(await auditOf(id)).toEqual([
    { event: 'access_changed', kind: 'operator', details: { mcp: false } },
    { event: 'access_changed', kind: 'operator', details: { api: false } },
    { event: 'access_changed', kind: 'operator', details: { api: true, workspace: true } },
    { event: 'deactivated', kind: 'operator', details: {} },
    { event: 'activated', kind: 'operator', details: {} },
    { event: 'role_changed', kind: 'operator', details: { role: 'admin' } },
    { event: 'held', kind: 'operator', details: { reason: 'Unpaid', until } },
    { event: 'released', kind: 'operator', details: {} },
    { event: 'plan_changed', kind: 'operator', details: { from: 'pro', to: 'agency', connections: null } },
  ]);
});

test('a switch without a value, or with a wrong one, says what to write', async () => {
  const [none, wrong] = await Promise.all([
    admin('set-access', '--user', 'ada@example.com'),
    admin('set-access', '--user', 'ada@example.com', '--api', 'maybe'),
  ]);
  expect([none!.code, none!.stderr]).toEqual([2, expect.stringContaining('--api, --mcp or --workspace')]);
  expect([wrong!.code, wrong!.stderr]).toEqual([2, expect.stringContaining('Use on or off.')]);
});

test('with --json an error is an object on the last line, with exit code 1, or 2 for wrong use', async () => {
  const [unknown, missing, key] = await Promise.all([
    admin('set-plan', '--user', 'nobody@example.com', '--plan', 'pro', '--json'),
    admin('set-plan', '--user', 'nobody@example.com', '--json'),
    admin('revoke-key', '--key', 'sk_none', '--json'),
  ]);
  const message = 'User "nobody@example.com" not found.';
  const hint = 'Use the id or email of an existing user, or create one with create-user.';
  expect([unknown!.code, printedBy(unknown!)]).toEqual([
    1,
    { ok: false, error: { code: 'USER_NOT_FOUND', message, hint } },
  ]);
  const wrong = {
    code: 'WRONG_USE',
    message: "required option '--plan <plan>' not specified.",
    hint: expect.stringContaining('set-plan --help'),
  };
  expect([missing!.code, printedBy(missing!)]).toEqual([2, { ok: false, error: wrong }]);
  expect([key!.code, printedBy(key!)]).toEqual([
    1,
    {
      ok: false,
      error: { code: 'API_KEY_NOT_FOUND', message: 'API key not found.', hint: expect.stringContaining('list-keys') },
    },
  ]);
});

test('list-users finds accounts by text, plan and state', async () => {
  const [ada, eve] = [await service.aUser({ plan: 'agency' }), await service.aUser({ plan: 'agency' })];
  await ada.aConnection();
  const { pool } = service.database;
  await pool.query(`update users set is_active = false, name = 'Odd 100%' where id = $1`, [eve.id]);
  const ids = (run: { stdout: string }) => printedBy(run).users.map(({ id }: { id: string }) => id);
  const [all, byId, byName, inactive, text] = await Promise.all([
    admin('list-users', '--plan', 'agency', '--limit', '1', '--json'),
    admin('list-users', '--search', ada.id.toUpperCase(), '--json'),
    admin('list-users', '--search', '0%', '--json'),
    admin('list-users', '--inactive', '--plan', 'agency', '--json'),
    admin('list-users', '--search', ada.id),
  ]);
  expect([ids(all!), printedBy(all!).hasMore]).toEqual([[eve.id], true]);
  expect(printedBy(byId!).users).toMatchObject([
    { id: ada.id, plan: 'agency', state: 'active', connections: 1, lastSignInAt: null, createdAt: expect.any(String) },
  ]);
  expect([ids(byName!), ids(inactive!)]).toEqual([[eve.id], [eve.id]]);
  expect(text!.stdout).toMatch(new RegExp(`^id .*last sign-in\\n${ada.id}  user\\d+@example.com  agency  active +1 `));
});

test('list-keys shows no secret, and revoke-key ends a key immediately, in the audit log', async () => {
  const ada = await service.aUser();
  const listed = await admin('list-keys', '--user', ada.id, '--json');
  const { keys } = printedBy(listed);
  const prefix = ada.apiKey.split('.')[0];
  expect(keys).toMatchObject([{ userId: ada.id, keyPrefix: prefix }]);
  expect(listed.stdout).not.toContain(ada.apiKey.split('.')[1]);
  // A key that was found in a public place.
  expect(printedBy(await admin('revoke-key', '--key', ada.apiKey, '--json'))).toMatchObject({ keyId: keys[0].id });
  await eventually(async () => expect((await ada.call('GET', '/list-posts')).status).toBe(401));
  expect(await auditOf(ada.id)).toMatchObject([
    { event: 'api_key_revoked', kind: 'operator', details: { keyId: keys[0].id, keyPrefix: prefix } },
  ]);
});

test('delete-user deletes only with --yes', async () => {
  const ada = await service.aUser();
  await ada.call('POST', '/create-post', { content: 'Later', platforms: [await ada.aConnection()] });
  const asked = await admin('delete-user', '--user', ada.id);
  expect([asked.code, asked.stderr]).toEqual([
    2,
    expect.stringContaining('1 connection, 1 post and 0 files. Nothing was deleted. Add --yes'),
  ]);
  expect((await ada.call('GET', '/list-posts')).status).toBe(200);
  const { code, stdout, stderr } = await admin('delete-user', '--user', ada.id, '--yes', '--json');
  expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing more is published.')]);
  expect(JSON.parse(stdout)).toMatchObject({ userId: ada.id, deleted: true, connections: 1, posts: 1 });
  expect((await auditOf(ada.id)).map(({ event }) => event)).toEqual([
    'connection_added',
    'deactivated',
    'connection_removed',
    'deleted',
  ]);
  expect((await admin('delete-user', '--user', ada.id, '--yes')).code).toBe(1);
});
