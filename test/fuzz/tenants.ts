import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../chaos/random.ts';
import { type CrierProcess, runProgram } from '../support/processes/crier.ts';
import { parsed } from './contract.ts';
import { png } from './form.ts';

const firstPassword = 'what no example of the document has';
const dayMs = 86_400_000;

/** A user with everything that a request can name. */
export interface Tenant {
  readonly name: string;
  /** Part of every text of this tenant, and of no other. */
  readonly mark: string;
  readonly email: string;
  readonly userId: string;
  apiKey: string;
  session: string;
  password: string;
  /** Its session and password are for requests that end them. */
  readonly isGuest: boolean;
  readonly connections: readonly string[];
  readonly posts: string[];
  managedId: string | null;
  /** Resources that no request of the tenant may delete, so that the run stays useful until its last request. */
  readonly kept: Set<string>;
  readonly ids: Ids;
  /** Inputs that let an operation succeed that random input would hardly ever find. */
  readonly fitting: Map<string, Fitting>;
}

interface Fitting {
  path?: Readonly<Record<string, string>>;
  body?: object;
}

/** Ids seen in responses, by field name, or by route if the field is just `id`. */
export class Ids {
  readonly #pools = new Map<string, string[]>();

  add(pool: string, id: string) {
    const known = this.#pools.get(pool) ?? [];
    if (known.includes(id)) return;
    known.push(id);
    if (known.length > 60) known.splice(10, 10);
    this.#pools.set(pool, known);
  }

  has(id: string): boolean {
    return [...this.#pools.values()].some((known) => known.includes(id));
  }

  /** For `{webhookId}` of `/webhooks/{webhookId}/test`, also considers ids from the response of `/webhooks`. */
  pick(name: string, path: string, random: Random, without: ReadonlySet<string> = new Set()): string | null {
    const before = path.split(`/{${name}}`)[0] ?? path;
    const pools = [same[name] ?? name, `at ${before}`, `at ${before.replace(/^\/dashboard/, '')}`];
    const found = pools.flatMap((pool) => this.#pools.get(pool) ?? []).filter((id) => !without.has(id));
    return found.length > 0 ? random.pick(found) : null;
  }

  /** Collects the ids in a response. */
  learn(path: string, answer: unknown, depth = 0) {
    if (typeof answer !== 'object' || answer === null || depth > 5) return;
    const route = path.replace(/\/\{.*$/, '');
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value !== 'string') this.learn(path, value, depth + 1);
      else if (name === '_id' || name === 'id') this.add(`at ${route}`, value);
      else if (/(Id|Url|url)$/.test(name) && value.length < 600) this.add(name, value);
    }
  }
}

const same: Readonly<Record<string, string>> = { mediaFileId: 'mediaId', mediaIds: 'mediaId' };

interface Wanted {
  name: string;
  plan: string;
  networks: string | null;
  isOwner: boolean;
}

const wanted: readonly Wanted[] = [
  { name: 'ada', plan: 'agency', networks: 'all', isOwner: true },
  { name: 'bob', plan: 'starter', networks: 'mastodon,bluesky,linkedin', isOwner: false },
  { name: 'cyd', plan: 'pro', networks: 'all', isOwner: true },
];

export async function makeTenants(crier: CrierProcess, seed: number, servedUrl: string): Promise<Tenant[]> {
  const made: Tenant[] = [];
  for (const one of wanted) made.push(await makeTenant(crier, one, seed));
  for (const tenant of made.filter(({ managedId }) => managedId)) await addFitting(crier, tenant, servedUrl);
  return made;
}

export const makeGuest = (crier: CrierProcess, seed: number) =>
  makeTenant(crier, { name: 'gus', plan: 'pro', networks: null, isOwner: false }, seed);

async function makeTenant(crier: CrierProcess, { name, plan, networks, isOwner }: Wanted, seed: number) {
  const admin = async (command: string, ...args: string[]) => {
    const ended = await runProgram(['src/admin.ts', command, ...args, '--json'], crier.environment);
    if (ended.code !== 0) throw new Error(ended.stderr);
    return JSON.parse(ended.stdout.trim().split('\n').at(-1)!);
  };
  const email = `${name}@example.com`;
  const { userId, apiKey } = await admin('create-user', '--email', email, '--password', firstPassword, '--plan', plan);
  const connect = async (some: string) =>
    (await admin('connect-sandbox', '--user', userId, '--networks', some)).connections as { platformId: string }[];
  const connections = networks ? await connect(networks) : [];
  if (isOwner) await admin('enable-workspace', '--user', userId);
  const tenant: Tenant = {
    name,
    mark: `mark-${name}-${seed}-ends`,
    email,
    userId,
    apiKey,
    session: '',
    password: firstPassword,
    isGuest: networks === null,
    connections: connections.map(({ platformId }) => platformId),
    posts: [],
    managedId: null,
    kept: new Set<string>(),
    ids: new Ids(),
    fitting: new Map(),
  };
  if (tenant.isGuest) await signIn(crier, tenant);
  else await fillTenant(crier, tenant, isOwner);
  // One connection may be deleted.
  for (const { platformId } of isOwner ? await connect('mastodon') : []) tenant.ids.add('platformId', platformId);
  return tenant;
}

/** Creates one resource of every kind. */
async function fillTenant(crier: CrierProcess, tenant: Tenant, isOwner: boolean) {
  await signIn(crier, tenant);
  const { ids, kept, mark, connections } = tenant;
  for (const id of connections) {
    ids.add('platformId', id);
    kept.add(id);
  }
  // The smallest plan allows seven days.
  for (const at of [new Date(Date.now() + 5 * dayMs).toISOString(), undefined]) {
    const platforms = connections.filter((id) => id.startsWith('mastodon') || id.startsWith('bluesky'));
    const made = await call(crier, tenant, 'POST', '/create-post', {
      content: `Kept ${mark}`,
      platforms,
      scheduledTime: at,
    });
    tenant.posts.push(String(made.postGroupId));
    kept.add(String(made.postGroupId));
    ids.learn('/create-post', made);
  }
  const hook = { name: `Kept ${mark}`, url: 'https://example.com/kept', events: ['post.published'] };
  keepAll(tenant, '/webhooks', await call(crier, tenant, 'POST', '/webhooks', hook));
  keepAll(tenant, '/auth/api-keys', await call(crier, tenant, 'GET', '/auth/api-keys'));
  if (!isOwner) return;
  const client = { username: `client-of-${tenant.name}@example.com`, displayName: `Client ${mark}` };
  const { user } = await call(crier, tenant, 'POST', '/workspace/users', client);
  keepAll(tenant, '/workspace/users', { user });
  tenant.managedId = String((user as { _id: string })._id);
}

/** Creates posts, files and deliveries that fit together. */
async function addFitting(crier: CrierProcess, tenant: Tenant, servedUrl: string) {
  const { fitting, ids, mark, connections, managedId } = tenant;
  const ask = (method: string, path: string, body?: object) => call(crier, tenant, method, path, body);
  const on = (platform: string) => connections.filter((id) => id.startsWith(`${platform}-`));
  const aDraft = async (platform: string) =>
    String((await ask('POST', '/create-post', { content: `Draft ${mark}`, platforms: on(platform) })).postGroupId);

  const postGroupId = await aDraft('mastodon');
  const aFile = async () => {
    const upload = { postGroupId, fileName: `${mark}.png`, contentType: 'image/png' };
    const { uploadUrl, mediaId } = await ask('POST', '/get-upload-url', upload);
    await fetch(String(uploadUrl), { method: 'PUT', headers: { 'content-type': 'image/png' }, body: png });
    await ask('POST', `/complete-media/${mediaId}`);
    return String(mediaId);
  };
  const [first, second, third] = [await aFile(), await aFile(), await aFile()];
  const other = await aDraft('mastodon');
  fitting.set('reorderMedia', { path: { postGroupId }, body: { mediaIds: [second, first, third] } });
  fitting.set('completeMedia', { path: { mediaFileId: first } });
  fitting.set('pruneMediaReference', { path: { postGroupId, mediaId: third } });
  fitting.set('attachMedia', { path: { postGroupId: other } });
  const thumbnail = '(the bytes of the image)';
  fitting.set('uploadYoutubeThumbnail', { body: { thumbnail, postGroupId: await aDraft('youtube') } });

  const hook = { name: `Own ${mark}`, url: `${servedUrl}/${tenant.name}/hook`, events: ['post.failed'] };
  const { webhook } = (await ask('POST', '/webhooks', hook)) as { webhook: { _id: string } };
  await ask('POST', `/webhooks/${webhook._id}/test`);
  const { deliveries } = await ask('GET', `/webhooks/${webhook._id}/deliveries`);
  const [delivery] = deliveries as { _id: string }[];
  if (delivery) fitting.set('resendWebhookDelivery', { path: { deliveryId: delivery._id } });

  await ask('POST', `/workspace/users/${managedId}/connection-url`, {});
  fitting.set('revokeConnectionUrl', { path: { userId: String(managedId) } });

  const published = await ask('POST', '/create-post', {
    content: `On LinkedIn ${mark}`,
    platforms: on('linkedin'),
    publishNow: true,
  });
  for (let tries = 0; tries < 120; tries += 1) {
    const { posts } = (await ask('GET', `/get-post/${published.postGroupId}`)) as { posts: { postedId?: string }[] };
    const urn = posts[0]?.postedId;
    for (const name of urn ? ['postedId', 'parent'] : []) ids.add(name, String(urn));
    if (urn) return;
    await sleep(250);
  }
  throw new Error('The post on LinkedIn was not published within 30 seconds.');
}

function keepAll(tenant: Tenant, path: string, answer: unknown) {
  tenant.ids.learn(path, answer);
  for (const [id] of JSON.stringify(answer).matchAll(/\b[0-9a-f]{24}\b/g)) tenant.kept.add(id);
}

/** Random requests may end a session or a key, which is legitimate. The tenant then gets new ones. */
export async function renewCredentials(crier: CrierProcess, tenant: Tenant): Promise<number> {
  let renewed = 0;
  if ((await status(crier, '/auth/session', { authorization: `Bearer ${tenant.session}` })) === 401) {
    await signIn(crier, tenant);
    renewed += 1;
  }
  const answered = await status(crier, '/account-context', { 'x-service-key': tenant.apiKey });
  if (answered === 401 || answered === 403) {
    const { key, rawKey } = (await call(crier, tenant, 'POST', '/auth/generate-api-key')) as Record<string, string>;
    tenant.apiKey = rawKey ?? key ?? '';
    renewed += 1;
  }
  return renewed;
}

async function signIn({ ready }: CrierProcess, tenant: Tenant) {
  const response = await fetch(`${ready.baseUrl}/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: tenant.email, password: tenant.password }),
  });
  const { accessToken } = (await response.json()) as { accessToken?: string };
  if (accessToken) tenant.session = accessToken;
}

const status = async ({ ready }: CrierProcess, path: string, headers: Record<string, string>) => {
  const response = await fetch(ready.baseUrl + path, { headers });
  await response.arrayBuffer();
  return response.status;
};

export async function call(
  { ready }: CrierProcess,
  { apiKey, session }: Tenant,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(ready.baseUrl + path, {
    method,
    headers: {
      ...(path.startsWith('/auth/') ? { authorization: `Bearer ${session}` } : { 'x-service-key': apiKey }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return parsed(text) as Record<string, unknown>;
}
