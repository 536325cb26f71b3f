import { tools } from '../../src/surfaces/mcp/tools/index.ts';
import type { Random } from '../chaos/random.ts';
import { operations } from './contract.ts';
import type { Tenant } from './tenants.ts';
import { badIds, bodyText, mutate, oddValue } from './values.ts';

/** A request to a route that no OpenAPI document describes. */
export interface Undescribed {
  method: string;
  target: string;
  headers: readonly (readonly [string, string])[];
  body: Buffer | null;
}

type Make = (tenant: Tenant, random: Random) => Undescribed;

/**
 * MCP, its OAuth, the pages that links in mails open, connection links, and the endpoints that network reviews call.
 */
export const anUndescribed: Make = (tenant, random) =>
  random.pick([anMcpCall, anMcpCall, aPage, aForm])(tenant, random);

const methods = [
  ...[
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'tools/call',
    'resources/list',
    'resources/read',
    'prompts/list',
  ],
  ...['prompts/get', 'resources/templates/list', 'completion/complete', 'notifications/initialized', '', '__proto__'],
];
const versions = ['2025-06-18', '2025-03-26', '2026-07-28', 'x'];

const anMcpCall: Make = (tenant, random) => {
  const messages = Array.from({ length: random.chance(0.8) ? 1 : random.pick([2, 5, 20, 21, 200]) }, () =>
    aMessage(tenant, random),
  );
  const json = messages.length === 1 && random.chance(0.9) ? messages[0] : messages;
  return {
    method: random.chance(0.95) ? 'POST' : random.pick(['GET', 'DELETE']),
    target: random.pick(['/mcp', '/']),
    headers: [
      ['content-type', random.chance(0.95) ? 'application/json' : 'text/plain'],
      ['accept', random.chance(0.9) ? 'application/json, text/event-stream' : '*/*'],
      ...(random.chance(0.6) ? ([['mcp-protocol-version', random.pick(versions)]] as const) : []),
      ...(random.chance(0.7) ? ([['authorization', `Bearer ${tenant.apiKey}`]] as const) : []),
    ],
    body: Buffer.from(bodyText(json, random)),
  };
};

function aMessage(tenant: Tenant, random: Random): unknown {
  const tool = random.pick(tools);
  const operation = operations.find(({ operationId }) => operationId === tool.operationId);
  const own = Object.values(operation?.requestBody?.content ?? {})[0]?.example ?? {};
  const kept = operation?.method === 'DELETE' ? tenant.kept : undefined;
  const params = {
    name: tool.name,
    arguments: { ...(own as object), postGroupId: tenant.ids.pick('postGroupId', '', random, kept) ?? 'x' },
    uri: random.pick(['crier://posts', 'crier://x', '', 'file:///etc/passwd']),
    protocolVersion: random.pick(versions),
    capabilities: {},
    clientInfo: { name: 'fuzz', version: '1' },
  };
  const message = { jsonrpc: '2.0', id: random.below(1000), method: random.pick(methods), params };
  return random.chance(0.4) ? message : mutate(message, random);
}

const pages = [
  ...['/reset-password', '/forgot-password', '/verify-email', '/confirm-email', '/sign-up', '/connect/x', '/authorize'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource', '/networks/data-deletion/x'],
  ...['/health', '/metrics', '/media/x', '/sign-in', '/calendar', '/assets/x.js'],
];
const queries = [
  ...['', '?token=x', `?token=${'x'.repeat(3000)}`, '?token=a&token=b', '?token[a]=1', '?%', '?token=%00'],
  ...['?client_id=x&redirect_uri=javascript:1&response_type=code', '?connect=failed&state=x', '?a[b][c]=1'],
];

const aPage: Make = (_tenant, random) => ({
  method: 'GET',
  target: random.pick(pages).replace(/x$/, () => random.pick(['x', ...badIds])) + random.pick(queries),
  headers: [['accept', random.pick(['text/html', 'application/json', '*/*'])]],
  body: null,
});

const forms: readonly (readonly [path: string, fields: Record<string, string>])[] = [
  ['/reset-password', { token: 'x', newPassword: 'a long enough password' }],
  ['/verify-email', { token: 'x', password: 'a long enough password' }],
  ['/confirm-email', { token: 'x' }],
  ['/connect/x/mastodon', { server: 'mastodon.example' }],
  ['/connect/x/choices/0123456789abcdef01234567', { accountIds: '1' }],
  ['/networks/facebook/deauthorized', { signed_request: 'a.b' }],
  ['/networks/threads/data-deletion', { signed_request: 'a.b' }],
  ['/token', { grant_type: 'authorization_code', code: 'x', client_id: 'x', redirect_uri: 'https://a.example' }],
  ['/authorize', { decision: 'allow', consent: 'x' }],
  ['/register', { client_name: 'x', redirect_uris: 'https://a.example' }],
];

const aForm: Make = (_tenant, random) => {
  const [path, fields] = random.pick(forms);
  const changed = random.chance(0.3) ? fields : mutate(fields, random);
  const isJson = random.chance(0.3);
  return {
    method: 'POST',
    target: path,
    headers: [['content-type', isJson ? 'application/json' : 'application/x-www-form-urlencoded']],
    body: Buffer.from(isJson ? bodyText(changed, random) : formText(changed, random)),
  };
};

function formText(fields: unknown, random: Random): string {
  const pairs = Object.entries(Object(fields)).map(([name, value]) => [name, String(value)]);
  const text = new URLSearchParams(pairs).toString();
  const odd = ['&', '=', '%', '%00=%ff', 'a[b]=1', 'x=1&'.repeat(5000), `x=${'y'.repeat(200_000)}`];
  return random.chance(0.8) ? text : `${text}&${random.pick(odd)}${random.chance(0.2) ? String(oddValue(random)) : ''}`;
}
