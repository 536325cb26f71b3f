import type { Random } from '../chaos/random.ts';
import { type CrierProcess, runProgram } from '../support/crier-process.ts';
import { parsed } from './contract.ts';

const password = 'what no example of the document has';
const dayMs = 86_400_000;

/** A user with everything that a request can name. */
export interface Tenant {
  readonly name: string;
  /** Is in every text of this tenant, and in no other. */
  readonly mark: string;
  readonly email: string;
  readonly userId: string;
  apiKey: string;
  session: string;
  readonly connections: readonly string[];
  readonly posts: string[];
  managedId: string | null;
  /** What no request of the tenant's own may end, so that the run stays useful to its last request. */
  readonly kept: Set<string>;
  readonly ids: Ids;
}

/** Ids that were seen in answers, by the name of the field, and those without a name of their own by the route. */
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

  /** For `{webhookId}` of `/webhooks/{webhookId}/test`, also what `/webhooks` answered. */
  pick(name: string, path: string, random: Random, without: ReadonlySet<string> = new Set()): string | null {
    const before = path.split(`/{${name}}`)[0] ?? path;
    const pools = [same[name] ?? name, `at ${before}`, `at ${before.replace(/^\/dashboard/, '')}`];
    const found = pools.flatMap((pool) => this.#pools.get(pool) ?? []).filter((id) => !without.has(id));
    return found.length > 0 ? random.pick(found) : null;
  }

  /** Remembers the ids in an answer. */
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

const wanted = [
  { name: 'ada', plan: 'agency', networks: 'all', isOwner: true },
  { name: 'bob', plan: 'starter', networks: 'mastodon,bluesky,linkedin', isOwner: false },
  { name: 'cyd', plan: 'pro', networks: 'all', isOwner: true },
];

export async function makeTenants(crier: CrierProcess, seed: number): Promise<Tenant[]> {
  const made: Tenant[] = [];
  for (const one of wanted) made.push(await makeTenant(crier, one, seed));
  return made;
}

async function makeTenant(
  crier: CrierProcess,
  { name, plan, networks, isOwner }: (typeof wanted)[number],
  seed: number,
) {
  const admin = async (command: string, ...args: string[]) => {
    const ended = await runProgram(['src/admin/main.ts', command, ...args, '--json'], crier.environment);
    if (ended.code !== 0) throw new Error(ended.stderr);
    return JSON.parse(ended.stdout.trim().split('\n').at(-1)!);
  };
  const email = `${name}@example.com`;
  const { userId, apiKey } = await admin('create-user', '--email', email, '--password', password, '--plan', plan);
  const { connections } = await admin('connect-sandbox', '--user', userId, '--networks', networks);
  if (isOwner) await admin('enable-workspace', '--user', userId);
  const tenant: Tenant = {
    name,
    mark: `mark-${name}-${seed}-ends`,
    email,
    userId,
    apiKey,
    session: '',
    connections: connections.map(({ platformId }: { platformId: string }) => platformId),
    posts: [],
    managedId: null,
    kept: new Set<string>(),
    ids: new Ids(),
  };
  await fillTenant(crier, tenant, isOwner);
  return tenant;
}

/** Something of every kind that can be named. */
async function fillTenant(crier: CrierProcess, tenant: Tenant, isOwner: boolean) {
  await signIn(crier, tenant);
  const { ids, kept, mark, connections } = tenant;
  for (const id of connections) {
    ids.add('platformId', id);
    kept.add(id);
  }
  // The shortest plan allows seven days.
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

function keepAll(tenant: Tenant, path: string, answer: unknown) {
  tenant.ids.learn(path, answer);
  for (const [id] of JSON.stringify(answer).matchAll(/\b[0-9a-f]{24}\b/g)) tenant.kept.add(id);
}

/** Random requests may end a session or a key. That is their right, and the tenant gets new ones. */
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
    body: JSON.stringify({ email: tenant.email, password }),
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
