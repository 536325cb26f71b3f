import type { Page, Response } from 'playwright-core';
import { openCredentials } from '../../../src/features/connections/credentials/stored-credentials.ts';
import { fromBase32 } from '../../../src/foundation/lib/base32.ts';
import { unseal, webhookSecretContext } from '../../../src/foundation/lib/seal.ts';
import { totpCode, totpStep } from '../../../src/foundation/lib/totp.ts';
import { Canaries } from '../../../test/support/secrets/canaries.ts';
import { isLoaded, type Stage, type StageUser } from './stage.ts';

/** The user's secrets, none of which may appear on their pages. Enables two-factor authentication on the user's `page`. */
export async function secretsOf(stage: Stage, user: StageUser, page: Page): Promise<Canaries> {
  const canaries = new Canaries();
  canaries.add('API key', user.apiKey);
  canaries.add('API key', user.apiKey.split('.')[1] ?? '');
  await addSecondFactor(canaries, stage, user, page);
  for (const { name, value } of await page.context().cookies()) {
    const kind = { 'crier.session_token': 'session token', 'crier.device': 'device token' }[name];
    if (kind) canaries.add(kind, decodeURIComponent(value).split('.')[0] ?? '');
  }
  await addSealed(canaries, stage, user);
  await addHashes(canaries, stage, user);
  canaries.add('SECRET_KEY', stage.service.app.sealingKeys.current.secret.toString('hex'));
  return canaries;
}

async function addSecondFactor(canaries: Canaries, { url }: Stage, { password }: StageUser, page: Page) {
  const headers = { origin: url };
  const ask = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/v1/auth/two-factor/${path}`, { headers, data });
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const { secret } = await ask('start', { password });
  canaries.add('TOTP secret', secret);
  const { recoveryCodes } = await ask('confirm', { code: totpCode(fromBase32(secret), totpStep(new Date())) });
  for (const code of recoveryCodes) canaries.add('recovery code', code);
}

async function addSealed(canaries: Canaries, { service: { app, database } }: Stage, { id }: StageUser) {
  const { rows: connections } = await database.pool.query(
    'select user_id as "userId", platform, account_id as "accountId", credentials from connections where user_id = $1',
    [id],
  );
  for (const connection of connections) addTokens(canaries, openCredentials(app, connection));
  const { rows: webhooks } = await database.pool.query('select id, secret from webhooks where user_id = $1', [id]);
  for (const { id: webhookId, secret } of webhooks)
    canaries.add('webhook secret', unseal(secret, webhookSecretContext(webhookId), app.sealingKeys));
}

/** Credentials also contain names and addresses. */
function addTokens(canaries: Canaries, credentials: unknown) {
  if (typeof credentials !== 'object' || credentials === null) return;
  for (const [name, value] of Object.entries(credentials)) {
    if (typeof value !== 'string') addTokens(canaries, value);
    else if (/token|secret|password|jwt/i.test(name)) canaries.add('token of a network', value);
  }
}

const hashes = `
  select 'password hash' as kind, password as value from auth_accounts where user_id = $1 and password is not null
  union all select 'hash of a session', token from auth_sessions where user_id = $1
  union all select 'hash of an API key', encode(key_hash, 'hex') from api_keys where user_id = $1
  union all select 'hash of a recovery code', encode(code_hash, 'hex') from recovery_codes where user_id = $1`;

async function addHashes(canaries: Canaries, { service: { database } }: Stage, { id }: StageUser) {
  const { rows } = await database.pool.query(hashes, [id]);
  for (const { kind, value } of rows) canaries.add(kind, value);
}

/** Visits pages, and records everything the browser loads, shows and stores. */
export function recordingVisits(page: Page, canaries: Canaries) {
  let bodies: Promise<void>[] = [];
  page.on('response', (response) => bodies.push(recordAnswer(response, canaries)));
  return async function visit(path: string) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await isLoaded(page);
    await Promise.all(bodies);
    bodies = [];
    canaries.record({ where: `the page ${path}`, text: await page.evaluate(everythingKept) });
  };
}

async function recordAnswer(response: Response, canaries: Canaries) {
  const headers = await response.allHeaders();
  const type = headers['content-type'] ?? '';
  // Streams never end, and redirects have no body.
  const hasText = /json|text|javascript/.test(type) && !type.includes('event-stream') && response.ok();
  const body = hasText ? await response.text().catch(() => askAgain(response)) : '';
  const where = `the answer of ${new URL(response.url()).pathname}`;
  canaries.record({ where, text: `${response.url()}\n${JSON.stringify(headers)}\n${body}` });
}

/** The browser discards responses that arrive during navigation. */
async function askAgain(response: Response): Promise<string> {
  const request = response.request();
  const isSafe = request.method() === 'GET' || new URL(response.url()).pathname.endsWith('/validate-post');
  if (!isSafe) throw new Error(`The answer to ${request.method()} ${response.url()} was not read.`);
  const page = request.frame().page();
  try {
    return await (await page.request.fetch(request)).text();
  } catch (error) {
    // The test ended meanwhile, and with it everything that the page showed.
    if (page.isClosed()) return '';
    throw error;
  }
}

const everythingKept = `[
  location.href,
  document.cookie,
  document.documentElement.outerHTML,
  ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
  JSON.stringify({ ...localStorage }),
  JSON.stringify({ ...sessionStorage }),
].join('\\n')`;
