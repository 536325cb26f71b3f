import type { Random } from '../chaos/random.ts';
import { accepts, type Operation, operations } from './contract.ts';
import { aFile, formBody } from './form.ts';
import type { Tenant } from './tenants.ts';
import { anUndescribed } from './undescribed.ts';
import { badIds, bodyText, mutate, oddValue } from './values.ts';

export type Manner = 'whole' | 'slow' | 'cut' | 'unread' | 'pipelined' | 'malformed';

/** One request, ready to send. */
export interface Shot {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
  readonly manner: Manner;
  /** Null if no OpenAPI document describes it. */
  readonly operation: Operation | null;
  /** The tenant whose credentials or URLs it carries. */
  readonly tenant: Tenant | null;
  /** An id in its path belongs to another tenant. */
  readonly isForeign: boolean;
}

export interface World {
  readonly tenants: readonly Tenant[];
  readonly guest: Tenant;
  /** Serves file downloads and receives webhooks. */
  readonly servedUrl: string;
}

/** Hashing a password is slow by design, and attempts are limited. */
const dear = new Set(['signUp', 'signIn']);
/** These end the session or the keys that all other requests need. */
const ending = /sign-?out|sessions|password|two-?factor|passkey|generate-api-key/i;
const otherPaths = [
  '/',
  '/docs',
  '/docs/dashboard',
  '/healthz',
  '/readyz',
  '/llms.txt',
  '/api/v1/openapi.json',
  '/api/v1/openapi-dashboard.json',
  '/nowhere',
  '/api/v1',
  '/link/x',
];

export function aShot(world: World, random: Random, index: number): Shot {
  const one = random.pick(world.tenants);
  const id = `fuzz-${index}`;
  if (random.chance(0.04)) return aStray(world, one, random, id);
  if (random.chance(0.06)) return anUndescribedShot(one, random, id);
  const operation = anOperation(random);
  const tenant = isForGuest(operation) && random.chance(0.5) ? world.guest : one;
  const other = random.pick(world.tenants.filter((another) => another !== tenant));
  const fitting = random.chance(0.3) ? tenant.fitting.get(operation.operationId) : undefined;
  const { path, isForeign } = aPath(operation, tenant, other, random, fitting?.path);
  const caller = random.chance(0.93) ? tenant : null;
  const { headers: bodyHeaders, body } = aBody(operation, world, tenant, random, index, fitting?.body);
  const headers = [
    ['x-request-id', id] as const,
    ...(caller ? credentials(operation, caller, random) : badCredentials(random)),
    ...bodyHeaders,
    ...oddHeaders(tenant, random),
  ];
  const method = random.chance(0.02)
    ? random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
    : operation.method;
  const target = `/api/v1${path}${aQuery(operation, tenant, random)}`;
  const isDescribed = method === operation.method;
  return {
    id,
    method,
    target,
    headers,
    body,
    manner: aManner(random),
    operation: isDescribed ? operation : null,
    tenant: caller,
    isForeign,
  };
}

/** With its own session, such a request would end the session of all later requests of the tenant. */
const isForGuest = ({ path, operationId }: Operation) => ending.test(path) || operationId === 'signIn';

function anOperation(random: Random): Operation {
  for (;;) {
    const operation = random.pick(operations);
    if (!dear.has(operation.operationId) || random.chance(0.05)) return operation;
  }
}

/** Files and pages, and paths that no route serves. */
function aStray(world: World, tenant: Tenant, random: Random, id: string): Shot {
  const learned = tenant.ids.pick(random.pick(['uploadUrl', 'url']), '', random);
  const isUpload = learned?.includes('/media/upload/') ?? false;
  const path = learned?.replace(/^https?:\/\/[^/]+/, '') ?? random.pick(otherPaths);
  const target = random.chance(0.7) ? path : path.slice(0, -1) + random.pick(['x', '%', '/../..', '?a=1', '%00', '/']);
  const method = isUpload ? 'PUT' : random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE']);
  const type = random.pick(['image/jpeg', 'image/png', 'text/html']);
  return {
    id,
    method,
    target: target.startsWith('/') && !target.startsWith('//') ? target : `/${random.pick(world.tenants).name}`,
    headers: [['x-request-id', id], ...(isUpload ? ([['content-type', type]] as const) : [])],
    body: isUpload ? aFile(random) : null,
    manner: aManner(random),
    operation: null,
    // Its URL may contain a name that the tenant chose.
    tenant,
    isForeign: false,
  };
}

/** Its response may contain the tenant's data, because it may carry the tenant's key. */
function anUndescribedShot(tenant: Tenant, random: Random, id: string): Shot {
  const { headers, ...request } = anUndescribed(tenant, random);
  const all = [['x-request-id', id] as const, ...headers, ...oddHeaders(tenant, random)];
  return { id, ...request, headers: all, manner: aManner(random), operation: null, tenant, isForeign: false };
}

function aPath(
  { path, method }: Operation,
  tenant: Tenant,
  other: Tenant,
  random: Random,
  fitting: Readonly<Record<string, string>> = {},
) {
  let isForeign = false;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const draw = random.next();
    if (fitting[name]) return encodeURIComponent(fitting[name]);
    if (name === 'platform')
      return random.pick(['mastodon', 'bluesky', 'telegram', 'linkedin', 'twitter', 'x', '__proto__']);
    if (draw < 0.16) return random.pick(badIds);
    if (draw < 0.3) {
      const id = other.ids.pick(name, path, random);
      isForeign ||= id !== null && !tenant.ids.has(id);
      return encodeURIComponent(id ?? 'f'.repeat(24));
    }
    const ends = method === 'DELETE' || path.startsWith('/auth/api-keys/');
    const kept = ends ? tenant.kept : new Set<string>();
    return encodeURIComponent(tenant.ids.pick(name, path, random, kept) ?? '0123456789abcdef01234567');
  });
  return { path: filled, isForeign };
}

function aQuery({ parameters = [] }: Operation, tenant: Tenant, random: Random): string {
  const known = parameters.filter((one) => one.in === 'query' && random.chance(0.4));
  const pairs = known.map(({ name }) => {
    const values = ['1', '0', '-1', '1e9', 'x', '%00', '%ff', '%', '[]', '2027-03-04T09:00:00Z', 'x'.repeat(3000), "'"];
    const value = random.chance(0.3)
      ? encodeURIComponent(tenant.ids.pick(name, '', random) ?? '2')
      : random.pick(values);
    return random.chance(0.1) ? `${name}=1&${name}=${value}&${name}[a]=1` : `${name}=${value}`;
  });
  if (random.chance(0.03))
    pairs.push(random.pick(['__proto__[a]=1', 'unknown=1', '&&&', 'a=%', `a=${'x'.repeat(9000)}`]));
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

type Header = readonly [string, string];

function credentials(operation: Operation, tenant: Tenant, random: Random): Header[] {
  const { apiKey, session, managedId } = tenant;
  const key: Header = ['x-service-key', apiKey];
  const bearer: Header = ['authorization', `Bearer ${session}`];
  const byKey = accepts(operation, 'apiKey');
  const bySession = accepts(operation, 'accessToken');
  if (ending.test(operation.path) && !tenant.isGuest && random.chance(0.99)) return badCredentials(random);
  const acting: Header[] = managedId && random.chance(0.15) ? [['x-service-user-id', managedId]] : [];
  if (random.chance(0.03)) return [key, bearer, ...acting];
  if (byKey && (!bySession || random.chance(0.5))) return [key, ...acting];
  return bySession || random.chance(0.5) ? [bearer] : [key];
}

function badCredentials(random: Random): Header[] {
  const wrong = ['', 'x', `sk_${'x'.repeat(20)}.${'0'.repeat(52)}`, 'Bearer', 'x'.repeat(5000), "' or 1=1 --"];
  return random.chance(0.4) ? [] : [[random.pick(['x-service-key', 'authorization', 'cookie']), random.pick(wrong)]];
}

function oddHeaders(tenant: Tenant, random: Random): Header[] {
  if (random.chance(0.85)) return [];
  const choices: Header[][] = [
    [['x-service-user-id', random.pick([...badIds, tenant.userId])]],
    [['x-service-client', random.pick(['mcp', '', 'x'.repeat(3000), '__proto__'])]],
    [['idempotency-key', random.pick(['', 'same', `own-${random.below(50)}`, 'x'.repeat(300)])]],
    [
      ['x-forwarded-for', '127.0.0.1, 10.0.0.1'],
      ['x-forwarded-host', 'evil.example'],
      ['forwarded', 'for=127.0.0.1'],
    ],
    [
      ['origin', 'https://evil.example'],
      ['cookie', 'crier.session_token=x; a=b; __proto__=1'],
    ],
    [['content-type', random.pick(['text/plain', 'application/xml', 'application/json; charset=utf-16', 'x', ''])]],
    [
      ['accept', 'text/html'],
      ['accept-encoding', 'gzip, deflate, br'],
      ['range', 'bytes=0-1,5-9'],
    ],
    Array.from({ length: 80 }, (_, i): Header => [`x-odd-${i}`, 'value']),
    [['x-large', 'x'.repeat(random.pick([8000, 20_000]))]],
    [
      ['if-none-match', '*'],
      ['if-range', '"x"'],
      ['x-http-method-override', 'DELETE'],
    ],
  ];
  return random.pick(choices);
}

function aBody(operation: Operation, world: World, tenant: Tenant, random: Random, index: number, fitting?: object) {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (!type || !content) {
    const body = random.chance(0.05) ? Buffer.from(bodyText(oddValue(random), random)) : null;
    return { headers: body ? ([['content-type', 'application/json']] as Header[]) : [], body };
  }
  const own = fitting ?? asOwn(content.example ?? {}, '', operation, world, tenant, random, index);
  if (type === 'multipart/form-data') {
    const form = formBody(own as Record<string, unknown>, random);
    return { headers: [['content-type', form.type]] as Header[], body: form.body };
  }
  let value = own;
  for (let left = fitting || random.chance(0.3) ? 0 : 1 + random.below(3); left > 0; left -= 1)
    value = mutate(value, random);
  return { headers: [['content-type', 'application/json']] as Header[], body: Buffer.from(bodyText(value, random)) };
}

const texts = new Set(['content', 'message', 'commentary', 'name', 'displayName', 'text', 'fileName']);

/** The example of the document, with the tenant's ids, URLs and texts. */
function asOwn(
  value: unknown,
  name: string,
  operation: Operation,
  world: World,
  tenant: Tenant,
  random: Random,
  index: number,
): unknown {
  const own = (inner: unknown, key: string) => asOwn(inner, key, operation, world, tenant, random, index);
  if (Array.isArray(value)) return value.map((item) => own(item, name));
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([key, inner]) => [key, own(inner, key)]);
    if (operation.operationId === 'createPost' && random.chance(0.03)) fields.push(['publishNow', true]);
    return Object.fromEntries(fields);
  }
  if (typeof value !== 'string') return value;
  if (tenant.isGuest && /^(currentP|p)assword$/.test(name)) return tenant.password;
  if (tenant.isGuest && operation.operationId === 'signIn') return tenant.email;
  if (value.startsWith('urn:li:') || name === 'commentId')
    return tenant.ids.pick(name, operation.path, random) ?? value;
  if (texts.has(name)) return `${value} ${tenant.mark} ${index}`;
  if (/^[^@\s]+@example\.com$/.test(value)) return `user${random.below(500)}@example.com`;
  if (value.startsWith('https://example.com'))
    return random.chance(0.6) ? `${world.servedUrl}/${tenant.name}/${index}` : 'https://10.0.0.1/x';
  if (/^[0-9a-f]{24}$/.test(value)) return tenant.ids.pick(name, operation.path, random) ?? value;
  const platform = /^([a-z]+)-/.exec(value)?.[1];
  if (name === 'platforms' || name === 'platformId')
    return tenant.connections.find((id) => id.startsWith(`${platform}-`)) ?? value;
  return value;
}

const manners: readonly [share: number, manner: Manner][] = [
  [0.02, 'slow'],
  [0.02, 'cut'],
  [0.015, 'unread'],
  [0.015, 'pipelined'],
  [0.02, 'malformed'],
];

function aManner(random: Random): Manner {
  let draw = random.next();
  for (const [share, manner] of manners) {
    if (draw < share) return manner;
    draw -= share;
  }
  return 'whole';
}
