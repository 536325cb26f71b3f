import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBase32 } from '../src/foundation/lib/base32.ts';
import { totpCode, totpStep } from '../src/foundation/lib/totp.ts';
import { consent } from './support/browser/consent.ts';
import { type TestDatabase, testDatabase } from './support/database/postgres.ts';
import { eventually } from './support/eventually.ts';
import { type CrierProcess, dataFolder, runProgram, startCrier } from './support/processes/crier.ts';
import { Canaries } from './support/secrets/canaries.ts';
import { serve } from './support/servers/local.ts';
import { type S3TestServer, startS3 } from './support/servers/s3.ts';
import { openSmtpServer } from './support/servers/smtp.ts';

/**
 * A run that uses every kind of secret. Each secret is added where it is created; all output of the service is
 * recorded, and searched at the end. A feature with a new secret adds a line or two in `useEverything`, and its kind in
 * `kinds`.
 */

const kinds = [
  'API key',
  'MAIL_URL password',
  'METRICS_TOKEN',
  'OAuth access token',
  'OAuth refresh token',
  'S3 secret',
  'SECRET_KEY',
  'TOTP secret',
  'app password',
  'attach token',
  'bot token',
  'client secret',
  'connection link',
  'database password',
  'device token',
  'invitation token',
  'password',
  'recovery code',
  'reset token',
  'session token',
  'two-factor token',
  'webhook secret',
];

const canaries = new Canaries();
const stack = new AsyncDisposableStack();
let crier: CrierProcess;
let database: TestDatabase;
let s3: S3TestServer;
let smtp: Awaited<ReturnType<typeof openSmtpServer>>;

/** Secrets in the response to a sign-in. */
const signsIn = ['session token', 'device token'];
const random = () => `canary${randomBytes(12).toString('hex')}`;
const password = () => canaries.add('password', `${random()} &"+/`);

beforeAll(async () => {
  const folder = stack.adopt(await dataFolder(), ({ remove }) => remove());
  database = stack.adopt(await testDatabase(), ({ close }) => close());
  s3 = stack.use(await startS3());
  const hooks = stack.use(await serve(takeWebhook));
  const login = { user: 'crier', password: canaries.add('MAIL_URL password', random()) };
  smtp = stack.adopt(await openSmtpServer({ login }), ({ close }) => close());
  canaries.add('database password', new URL(database.url).password);
  const { endpoint, region, bucket, credentials } = s3.bucket;
  const { accessKeyId, secretAccessKey } = credentials!;
  canaries.add('S3 secret', secretAccessKey);
  const storage = Object.entries({ region, endpoint: endpoint!, accessKeyId, secretAccessKey })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  // The folder's disposal also stops processes that still use it.
  crier = await startCrier({
    folder,
    environment: {
      LOG_LEVEL: 'trace',
      MAIL_URL: `smtp://${login.user}:${login.password}@127.0.0.1:${smtp.port}`,
      DATABASE_URL: database.url,
      SECRET_KEY: canaries.add('SECRET_KEY', randomBytes(32).toString('hex')),
      METRICS_TOKEN: canaries.add('METRICS_TOKEN', random()),
      STORAGE_URL: `s3://${bucket}?${storage}`,
      MASTODON_CLIENT_ID: 'mastodon-app',
      MASTODON_CLIENT_SECRET: canaries.add('client secret', random()),
      LINKEDIN_CLIENT_ID: 'linkedin-app',
      LINKEDIN_CLIENT_SECRET: canaries.add('client secret', random()),
      EGRESS_ALLOW: new URL(hooks.url).host,
    },
  });
  await useEverything(hooks.url);
  await recordEverything();
});
afterAll(() => stack.disposeAsync());

test('a run uses a secret of each kind', () => {
  expect(canaries.kinds()).toEqual(kinds);
});

test('no secret is in a log line, an answer, a metric, a webhook, the database, an export or a page of the sandbox', () => {
  expect(canaries.leaks()).toEqual([]);
});

test.each(kinds)('a planted leak is found: %s', (kind) => {
  const planted = new Canaries();
  const value = planted.add(kind, `${random()} &"+/`);
  planted.record({
    where: 'the log',
    text: `{"msg":"failed","address":"https://x.example/?a=${encodeURIComponent(value)}"}`,
  });
  planted.record({ where: 'a table', text: `(1,"\\\\x00${Buffer.from(value).toString('hex')}00")` });
  planted.record({ where: 'its own answer', text: value, mayHold: [kind] });
  expect(planted.leaks().map((leak) => leak.split(':')[0])).toEqual([`${kind} in the log`, `${kind} in a table`]);
});

function takeWebhook(...[request, response]: Parameters<Parameters<typeof serve>[0]>) {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    canaries.record({ where: 'a webhook', text: JSON.stringify(request.headers) + body });
    response.end();
  });
}

interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
  /** Kinds of secrets that this response may contain. */
  handsOut?: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of its answer.
async function ask(method: string, path: string, { body, headers = {}, handsOut = [] }: Asked = {}): Promise<any> {
  const response = await fetch(path.startsWith('http') ? path : crier.ready.baseUrl + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  for (const cookie of response.headers.getSetCookie()) {
    const device = /^crier\.device=([^;]+)/.exec(cookie)?.[1];
    if (device) canaries.add('device token', device);
  }
  const shown = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  canaries.record({ where: `the answer of ${method} ${path}`, text: `${shown}\n${text}`, mayHold: handsOut });
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function admin(command: string, args: readonly string[], handsOut: readonly string[] = []) {
  const { stdout, stderr } = await runProgram(['src/admin.ts', command, ...args, '--json'], crier.environment);
  canaries.record({ where: `the output of admin ${command}`, text: stdout + stderr, mayHold: handsOut });
  return JSON.parse(stdout.trim().split('\n').at(-1) || '{}');
}

async function useEverything(hooksUrl: string) {
  const { key, session, email } = await anAccount();
  await connectAccounts(session);
  await useWebhooks(key, session, hooksUrl);
  await publish(key);
  await useWorkspace(key, session, email);
  await failInEveryWay(key, session, email);
  await useAccountLife();
}

async function anAccount() {
  const email = 'ada@example.com';
  const own = password();
  const signedUp = await ask('POST', '/auth/signup', { body: { email, password: own }, handsOut: signsIn });
  canaries.add('session token', signedUp.accessToken);
  const signedIn = await ask('POST', '/auth/signin', { body: { email, password: own }, handsOut: signsIn });
  const session = { authorization: `Bearer ${canaries.add('session token', signedIn.accessToken)}` };
  await admin('set-plan', ['--user', email, '--plan', 'agency']);
  await admin('enable-workspace', ['--user', email]);
  const made = await ask('POST', '/auth/api-keys', { body: { name: 'A' }, headers: session, handsOut: ['API key'] });
  const raw = /sk_\w+\.[0-9a-f]{52}/.exec(JSON.stringify(made))?.[0] ?? '';
  const current = await ask('POST', '/auth/generate-api-key', { headers: session, handsOut: ['API key'] });
  canaries.add('API key', /sk_\w+\.[0-9a-f]{52}/.exec(JSON.stringify(current))?.[0] ?? '');
  await ask('GET', '/auth/api-keys', { headers: session });
  await ask('GET', '/auth/session', { headers: session });
  return { email, session, key: { 'x-service-key': canaries.add('API key', raw) } };
}

/** By bot token, by app password, and by OAuth, whose tokens the sandbox knows. */
async function connectAccounts(session: Record<string, string>) {
  const account = async (network: string, handle: string) => {
    const made = await fetch(`${crier.ready.sandboxUrl}/_control/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ network, handle }),
    });
    return (await made.json()) as { credentials: Record<string, string>; account: { handle: string } };
  };
  const telegram = await account('telegram', 'canary_channel');
  const bluesky = await account('bluesky', 'canary.bsky.social');
  const botToken = canaries.add('bot token', telegram.credentials.botToken ?? '');
  const appPassword = canaries.add('app password', bluesky.credentials.appPassword ?? '');
  const forms: [string, object][] = [
    ['telegram', { botToken, channel: '@canary_channel' }],
    [
      'telegram',
      { botToken: canaries.add('bot token', `123456789:${random()}${random()}`.slice(0, 45)), channel: '@x' },
    ],
    ['bluesky', { handle: bluesky.account.handle, appPassword }],
    ['bluesky', { handle: bluesky.account.handle, appPassword: canaries.add('app password', 'abcd-efgh-ijkl-mnop') }],
  ];
  for (const [platform, fields] of forms)
    await ask('POST', `/connect/${platform}`, { body: { fields }, headers: session });
  for (const [platform, fields] of [
    ['mastodon', { instance: 'mastodon.social' }],
    ['linkedin', {}],
    ['twitter', {}],
  ] as const) {
    const { url } = await ask('POST', `/connect/${platform}`, { body: { fields }, headers: session });
    if (!url) continue;
    const back = await consent(new URL(url), { decision: 'allow', handle: `canary${platform}` });
    await ask('GET', `/connect/callback${back.search}`, { headers: session });
  }
}

async function useWebhooks(key: Record<string, string>, session: Record<string, string>, hooksUrl: string) {
  const body = { name: 'Hook', url: `${hooksUrl}/hook`, events: ['post.scheduled', 'post.published', 'post.failed'] };
  const made = await ask('POST', '/webhooks', { body, headers: key, handsOut: ['webhook secret'] });
  const { _id: id, secret } = made.webhook;
  canaries.add('webhook secret', secret);
  const renewed = await ask('POST', `/webhooks/${id}/regenerate-secret`, {
    headers: key,
    handsOut: ['webhook secret'],
  });
  canaries.add('webhook secret', renewed.secret);
  await ask('POST', `/webhooks/${id}/test`, { headers: key });
  await ask('GET', '/webhooks', { headers: key });
  await ask('GET', '/dashboard/webhooks', { headers: session });
}

async function publish(key: Record<string, string>) {
  const { connections } = await ask('GET', '/platform-connections', { headers: key });
  const platforms: string[] = connections.map(({ platformId }: { platformId: string }) => platformId);
  expect(platforms.length).toBeGreaterThanOrEqual(4);
  const post = { content: 'Hello', platforms, publishNow: true };
  const { postGroupId } = await ask('POST', '/create-post', {
    body: post,
    headers: { ...key, 'idempotency-key': 'one' },
  });
  const file = { fileName: 'a.png', contentType: 'image/png', postGroupId };
  await ask('POST', '/get-upload-url', { body: file, headers: key });
  for (const platformId of platforms)
    await ask('POST', `/test-connection/${encodeURIComponent(platformId)}`, { headers: key });
  for (let tries = 0; tries < 120; tries += 1) {
    const { status } = await ask('GET', `/get-post/${postGroupId}`, { headers: key });
    if (!['scheduled', 'pending', 'processing'].includes(status)) break;
    await sleep(250);
  }
  for (const path of [`/post-logs/${postGroupId}`, '/list-posts', '/account-context', '/platform-limits'])
    await ask('GET', path, { headers: key });
}

async function useWorkspace(key: Record<string, string>, session: Record<string, string>, email: string) {
  const made = await ask('POST', '/workspace/users', { body: { username: 'client@example.com' }, headers: key });
  const id = made.user._id;
  const own = await ask('POST', `/workspace/users/${id}/api-key`, { headers: key, handsOut: ['API key'] });
  canaries.add('API key', /sk_\w+\.[0-9a-f]{52}/.exec(JSON.stringify(own))?.[0] ?? '');
  const link = await ask('POST', `/workspace/users/${id}/connection-url`, {
    body: {},
    headers: key,
    handsOut: ['connection link'],
  });
  const address: string = link.connectionUrl ?? link.url;
  canaries.add('connection link', new URL(address).pathname.split('/').at(-1) ?? '');
  // The page contains its own address, and its owner may read the address again.
  await ask('GET', address, { handsOut: ['connection link'] });
  await ask('GET', '/workspace/users', { headers: key, handsOut: ['connection link'] });
  const userAccessToken = session.authorization!.slice(7);
  await ask('POST', '/workspace/users/attach', { body: { email, userAccessToken }, headers: key });
}

/** Links in mails, two-factor sign-in and consent to join a workspace, for a separate user. */
async function useAccountLife() {
  const email = 'eve@example.com';
  const first = password();
  await ask('POST', '/auth/signup', { body: { email, password: first }, handsOut: signsIn });

  await ask('POST', '/auth/password/forgot', { body: { email } });
  const newPassword = password();
  const token = canaries.add('reset token', await tokenMailed(email, '/reset-password'));
  await ask('GET', new URL(`/reset-password?token=${token}`, crier.ready.url).href, { handsOut: ['reset token'] });
  await ask('POST', '/auth/password/reset', { body: { token, newPassword } });
  await ask('POST', '/auth/password/reset', { body: { token, newPassword } });

  const credentials = { email, password: newPassword };
  const signedIn = await ask('POST', '/auth/signin', {
    body: credentials,
    handsOut: signsIn,
  });
  const session = { authorization: `Bearer ${canaries.add('session token', signedIn.accessToken)}` };
  const { secret } = await ask('POST', '/auth/two-factor/start', {
    body: { password: newPassword },
    headers: session,
    handsOut: ['TOTP secret'],
  });
  canaries.add('TOTP secret', secret);
  const code = totpCode(fromBase32(secret), totpStep(new Date()));
  const { recoveryCodes } = await ask('POST', '/auth/two-factor/confirm', {
    body: { code },
    headers: session,
    handsOut: ['recovery code'],
  });
  for (const one of recoveryCodes) canaries.add('recovery code', one);
  const { twoFactorToken } = await ask('POST', '/auth/signin', { body: credentials, handsOut: ['two-factor token'] });
  canaries.add('two-factor token', twoFactorToken);
  await ask('POST', '/auth/signin/two-factor', { body: { twoFactorToken, code: 'wrong' } });
  const finished = await ask('POST', '/auth/signin/two-factor', {
    body: { twoFactorToken, code: recoveryCodes[0] },
    handsOut: signsIn,
  });
  canaries.add('session token', finished.accessToken);

  const consentToJoin = await ask('POST', '/auth/attach-token', { headers: session, handsOut: ['attach token'] });
  canaries.add('attach token', /at_[\w-]+/.exec(JSON.stringify(consentToJoin))?.[0] ?? '');
  for (const path of ['/auth/sessions', '/auth/audit-log', '/auth/two-factor', '/auth/passkeys'])
    await ask('GET', path, { headers: session });

  const invited = await admin('invite', ['--email', 'guest@example.com'], ['invitation token']);
  canaries.add('invitation token', new URL(invited.link).searchParams.get('token') ?? '');
  await tokenMailed('guest@example.com', '/sign-up');
  const made = await admin('reset-password', ['--user', email], ['reset token']);
  canaries.add('reset token', new URL(made.link).searchParams.get('token') ?? '');
  for (const { headers, text, html } of smtp.received()) {
    const mayHold = ['reset token', 'invitation token'];
    canaries.record({ where: 'a mail', text: `${headers.join('\n')}\n${text}\n${html}`, mayHold });
  }
}

const tokenMailed = (to: string, path: string) =>
  eventually(
    () => {
      const texts = smtp.received(to).map(({ text }) => text);
      const link = texts
        .map((text) => /https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? '')
        .find((url) => url.includes(path));
      if (!link) throw new Error(`No mail with a link to ${path} has reached ${to}.`);
      return new URL(link).searchParams.get('token')!;
    },
    { interval: 100 },
  );

/** Errors quote their input, so this is where secrets leak. */
async function failInEveryWay(key: Record<string, string>, session: Record<string, string>, email: string) {
  const secretKey = canaries.add('API key', `sk_${random()}.${randomBytes(26).toString('hex')}`);
  await ask('GET', '/list-posts', { headers: { 'x-service-key': secretKey } });
  await ask('GET', '/auth/session', {
    headers: { authorization: `Bearer ${canaries.add('session token', random())}` },
  });
  await ask('POST', '/auth/signin', { body: { email, password: password() } });
  await ask('POST', '/auth/signup', { body: { email, password: password() } });
  await ask('POST', '/auth/signin', { body: `{"email":"${email}","password":"${password()}` });
  await ask('POST', '/auth/signin', { body: { email: { password: password() }, password: [password()] } });
  await ask('POST', '/create-post', { body: { content: 7, platforms: 'x' }, headers: { ...key, ...session } });
  await ask('GET', `/list-posts?apiKey=${encodeURIComponent(secretKey)}`, { headers: key });
  await fetch(new URL('/metrics', crier.ready.url), {
    headers: { authorization: `Bearer ${canaries.add('METRICS_TOKEN', random())}` },
  });
}

/** Everything else that the service shows or stores. */
async function recordEverything() {
  const token = { authorization: `Bearer ${crier.environment.METRICS_TOKEN}` };
  await ask('GET', new URL('/metrics', crier.ready.url).href, { headers: token });
  await ask('GET', new URL('/readyz', crier.ready.url).href, { headers: token });
  for (const name of ['openapi.json', 'openapi-dashboard.json']) await ask('GET', `${crier.ready.baseUrl}/${name}`);
  const { sandboxUrl } = crier.ready;
  const pages = ['/', '/mail', '/_control/posts', '/_control/requests', '/_control/mail', '/_control/accounts'];
  for (const page of [...pages, ...['telegram', 'bluesky', 'mastodon'].map((network) => `/feed/${network}`)])
    await ask('GET', `${sandboxUrl}${page}`);
  await admin('export', ['--user', 'ada@example.com']);
  await admin('create-key', ['--user', 'ada@example.com', '--name', 'B'], ['API key']);
  await crier.stop();
  addSandboxSecrets();
  await recordTables();
  // The sandbox demo is public: its login is shown at startup.
  canaries.record({ where: 'the log', text: crier.output() });
}

/** The tokens that the networks issued to the service. While the sandbox runs, no other process can open its file. */
function addSandboxSecrets() {
  const store = new DatabaseSync(join(crier.dataDir, 'sandbox', 'sandbox.db'), { readOnly: true });
  for (const { token, kind } of store.prepare('select token, kind from tokens').all()) {
    if (kind === 'access' || kind === 'refresh') canaries.add(`OAuth ${kind} token`, String(token));
  }
  for (const { client_secret } of store.prepare('select client_secret from apps').all()) {
    canaries.add('client secret', String(client_secret));
  }
  store.close();
}

/** All tables as text: anyone with a copy of the database can read their plain values. */
async function recordTables() {
  const { rows: tables } = await database.pool.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(15);
  for (const { name } of tables) {
    const { rows } = await database.pool.query(`select t::text as row from "${name}" t`);
    canaries.record({ where: `the table ${name}`, text: rows.map(({ row }) => row).join('\n') });
  }
}
