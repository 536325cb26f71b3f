import { readFile } from 'node:fs/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/support/service/app.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { type McpStage, mcpStage } from '../../../test/support/stages/mcp.ts';
import { buildServer } from '../server.ts';
import { maxBatch } from './routes.ts';
import { tools } from './tools/index.ts';

/** The protocol around the tools, as an MCP client sees it (contract.md#mcp). */

let stage: McpStage;
let ada: TestUser;
let eve: TestUser;

beforeAll(async () => {
  stage = await mcpStage({ environment: { CORS_ORIGINS: 'https://app.example.com' } });
  [ada, eve] = [await stage.aUser(), await stage.aUser()];
});
afterAll(() => stage.close());

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const callTool = (name: string, args: object = {}) => rpc('tools/call', { name, arguments: args });
const initialize = (protocolVersion: string) =>
  rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'a test', version: '1' } });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
const jsonOf = async (response: Promise<Response>): Promise<any> => (await response).json();

/** The tools with their arguments. Required ones are in capitals. */
const personal: Record<string, string> = {
  list_connections: '',
  test_connection: 'PLATFORMID',
  platform_limits: '',
  account_context: 'scheduledTime',
  list_posts:
    'page limit status platform sortBy sortOrder fromDate toDate from to channel q label cursor responseFormat',
  validate_post:
    'CONTENT PLATFORMS scheduledTime publishNow platformSettings mediaUrls firstComment firstComments labels',
  create_post:
    'CONTENT PLATFORMS scheduledTime publishNow platformSettings mediaUrls firstComment firstComments labels idempotencyKey',
  get_post: 'POSTGROUPID',
  update_post:
    'POSTGROUPID content platforms scheduledTime status publishNow platformSettings mediaUrls firstComment firstComments labels idempotencyKey',
  delete_post: 'POSTGROUPID',
  retry_post: 'POSTGROUPID idempotencyKey',
  next_slot: 'platforms after',
  post_logs: 'POSTGROUPID page',
  attach_media: 'POSTGROUPID FILE fileName altText idempotencyKey',
  get_upload_url: 'FILENAME CONTENTTYPE POSTGROUPID TYPE altText',
  complete_media: 'MEDIAID',
  list_media: 'page limit type q label',
  update_media: 'MEDIAID altText fileName labels',
  delete_media: 'MEDIAID',
  prune_media_reference: 'POSTGROUPID MEDIAID',
  post_stats: 'PLATFORM PLATFORMID POSTEDIDS',
  profile_stats: 'PLATFORM PLATFORMID',
  linkedin_create_reaction: 'POSTEDID REACTIONTYPE PLATFORMID',
  linkedin_delete_reaction: 'POSTEDID PLATFORMID',
  linkedin_create_comment: 'POSTEDID MESSAGE PLATFORMID parentComment imageUrl',
  linkedin_delete_comment: 'POSTEDID COMMENTID PLATFORMID',
  linkedin_create_reshare: 'PLATFORMID PARENT commentary visibility',
  linkedin_list_mentionables: 'q limit',
  linkedin_post_stats: 'POSTEDID PLATFORMID queryType queryTypes',
  linkedin_account_stats: 'PLATFORMID queryType queryTypes aggregation dateRange',
  linkedin_followers: 'PLATFORMID period dateRange',
  linkedin_profile_summary: 'PLATFORMID dateRange',
};
const destructive = [
  'delete_media',
  'delete_post',
  'linkedin_delete_comment',
  'linkedin_delete_reaction',
  'prune_media_reference',
  'update_post',
];

describe('what can be listed', () => {
  test('[mcp.anonymous] an anonymous client sees the personal tools with their arguments', async () => {
    const { tools: listed } = await (await stage.aClient()).listTools();
    const shown = listed.map(({ name, inputSchema: { properties = {}, required = [] } }) => [
      name,
      Object.keys(properties)
        .map((argument) => (required.includes(argument) ? argument.toUpperCase() : argument))
        .join(' '),
    ]);
    expect(Object.fromEntries(shown)).toEqual(personal);
  });

  test('a value that looks like a route keeps its name', async () => {
    const { tools: listed } = await (await stage.aClient()).listTools();
    const time = listed.find(({ name }) => name === 'create_post')?.inputSchema.properties?.['scheduledTime'];
    expect(time).toMatchObject({ description: expect.stringContaining('"next-slot"') });
  });

  test('every tool has a title, a description, annotations and schemas without references', async () => {
    const { tools: listed } = await (await stage.aClient()).listTools();
    for (const tool of listed) {
      expect(tool).toMatchObject({ title: expect.any(String), description: expect.stringMatching(/\.$/) });
      expect(tool).toMatchObject({ inputSchema: { type: 'object' }, outputSchema: { type: 'object' } });
      expect(tool.annotations).toMatchObject({ openWorldHint: expect.any(Boolean) });
    }
    const named = (hint: 'destructiveHint' | 'readOnlyHint') =>
      listed.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
    expect(named('destructiveHint').sort()).toEqual(destructive);
    expect(named('readOnlyHint')).toEqual(expect.arrayContaining(['list_posts', 'get_post', 'post_stats']));
    expect(named('readOnlyHint').filter((name) => /create|attach|upload|update|delete/.test(name))).toEqual([]);
    expect(JSON.stringify(listed)).not.toContain('"$ref"');
    expect(listed.find(({ name }) => name === 'attach_media')?._meta).toEqual({ 'openai/fileParams': ['file'] });
  });

  test('schemas name tools, and no routes', async () => {
    const text = JSON.stringify((await (await stage.aClient()).listTools()).tools);
    expect(text).toContain('ids from `list_connections`');
    const routes = text.match(/(GET|POST|PUT|DELETE) \/\w[\w-]*|`(create|update|list)-posts?`/g);
    // It takes a form with a file, which no tool can send.
    expect(new Set(routes)).toEqual(new Set(['POST /upload-youtube-thumbnail']));
  });

  test('only a key with workspace access sees the tools of workspaces', async () => {
    const owner = await stage.aUser();
    await stage.app.db.updateTable('users').set({ workspace_enabled: true }).where('id', '=', owner.id).execute();
    const namesFor = async (user: TestUser) =>
      (await (await stage.aClient({ user })).listTools()).tools.map(({ name }) => name);
    const workspace = ['create_workspace_user', 'list_workspace_users', 'workspace_detach_user'];
    expect((await namesFor(owner)).filter((name) => name.includes('workspace')).sort()).toEqual(workspace);
    expect((await namesFor(ada)).filter((name) => name.includes('workspace'))).toEqual([]);
    expect(await stage.call(await stage.aClient({ user: ada }), 'list_workspace_users')).toMatchObject({
      isError: true,
      body: { error: 'Workspace access is not enabled for this key' },
    });
  });

  test('prompts are listed and filled in without a key', async () => {
    const client = await stage.aClient();
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['plan_week', 'repurpose_text']);
    const { messages } = await client.getPrompt({ name: 'plan_week', arguments: { topic: 'Bees' } });
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('about: Bees') });
    await expect(client.getPrompt({ name: 'plan_week', arguments: {} })).rejects.toThrow('topic is required');
    await expect(client.getPrompt({ name: 'plan_year' })).rejects.toThrow('Unknown prompt: plan_year');
  });
});

describe('the transport', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks protocol %s', async (version) => {
    const { result } = await jsonOf(stage.post(initialize(version)));
    expect(result).toMatchObject({ protocolVersion: version, serverInfo: { name: 'service', version: '1.0.0' } });
    const headers = { 'mcp-protocol-version': version, ...bearer(ada.apiKey) };
    const { result: called } = await jsonOf(stage.post(callTool('list_connections'), headers));
    expect(called.structuredContent).toEqual({ success: true, connections: [] });
  });

  test('speaks the newest protocol, which has no sessions', async () => {
    const client = await stage.aClient({ user: ada, mode: { pin: '2026-07-28' } });
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    await client.listTools();
    expect((await stage.call(client, 'list_connections')).body).toEqual({ success: true, connections: [] });
  });

  test('a stream of the newest protocol is open to a key alone, and ends when the service stops', async () => {
    const { app, database, sandbox } = stage;
    const other = await testApp({ database, sandboxUrl: sandbox.url, publicUrl: app.publicUrl });
    const server = await buildServer(other.app);
    const url = new URL('/mcp', await server.listen({ port: 0, host: '127.0.0.1' }));
    const client = new Client(
      { name: 'a test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: bearer(ada.apiKey) } }));
    const { closed } = await client.listen({ toolsListChanged: true });
    await server.close();
    expect(await closed).toBe('graceful');
    await client.close();
    await other.close();
    expect((await stage.post(rpc('subscriptions/listen'))).status).toBe(401);
  });

  test('is also at /', async () => {
    const client = await stage.aClient({ user: ada, path: '/' });
    expect((await stage.call(client, 'list_connections')).body).toEqual({ success: true, connections: [] });
    expect(await (await fetch(stage.url)).text()).toContain('<h1>Crier</h1>');
  });

  test.each([undefined, '*/*', 'application/json', 'text/event-stream'])('repairs Accept: %s', async (accept) => {
    const response = await stage.post(rpc('tools/list'), accept === undefined ? {} : { accept });
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect((await response.json()) as object).toMatchObject({ result: { tools: expect.any(Array) } });
  });

  test('keeps no sessions: a session id of another server is ignored, and refused where it would matter', async () => {
    const session = { 'mcp-session-id': 'of-another-server' };
    expect((await stage.post(rpc('ping'), session)).status).toBe(200);
    for (const method of ['GET', 'DELETE']) {
      const refused = await fetch(`${stage.url}/mcp`, { method, headers: session });
      expect([refused.status, await jsonOf(Promise.resolve(refused))]).toMatchObject([
        400,
        { error: 'Invalid or missing session. Send a POST without mcp-session-id to start.' },
      ]);
      const without = await fetch(`${stage.url}/mcp`, { method, headers: { accept: 'text/event-stream' } });
      expect([without.status, without.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('answers a notification with 202, and nonsense with an error of JSON-RPC', async () => {
    expect((await stage.post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    const broken = await stage.post('{"jsonrpc":');
    expect([broken.status, await jsonOf(Promise.resolve(broken))]).toMatchObject([400, { error: { code: -32700 } }]);
    expect((await stage.post(rpc('tools/list'), { 'content-type': 'text/plain' })).status).toBe(415);
    const unknown = await jsonOf(stage.post(callTool('create_pots'), bearer(ada.apiKey)));
    expect(unknown.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Did you mean create_post?'),
    });
  });

  test('refuses a message with many wrong entries, and does not list them', async () => {
    const clientInfo = { name: 'a test', version: '1', icons: Array.from({ length: 5000 }, () => 1) };
    const wrong = { ...clientInfo, icons: [1, 2, 3] };
    for (const [info, code] of [
      [clientInfo, -32_600],
      [wrong, -32_603],
    ] as const) {
      const message = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info };
      const text = await (await stage.post(rpc('initialize', message))).text();
      expect(text.length).toBeLessThan(2000);
      expect(JSON.parse(text).error.code).toBe(code);
    }
    const called = await jsonOf(stage.post(callTool('list_posts', { unknown: clientInfo.icons }), bearer(ada.apiKey)));
    expect(called.error).toBeUndefined();
  });

  test('refuses a body of more than 1 MB, and a batch of many messages', async () => {
    const payload = rpc('ping', { pad: 'x'.repeat(1_100_000) });
    expect((await stage.server.inject({ method: 'POST', url: '/mcp', payload })).statusCode).toBe(413);
    const batch = Array.from({ length: maxBatch + 1 }, () => rpc('prompts/list'));
    const refused = await stage.post(batch);
    expect(refused.status).toBe(400);
    expect((await refused.text()).length).toBeLessThan(1000);
  });

  test('answers a call that its own batch cancels, because nothing is kept to be cancelled', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    for (const batch of [
      [rpc('ping'), cancel],
      [cancel, rpc('ping')],
    ]) {
      expect(await jsonOf(stage.post(batch))).toMatchObject({ id: 1, result: {} });
    }
    expect((await stage.post([cancel])).status).toBe(400);
  });

  test('refuses a batch that lists the tools twice, whose response would have 200 kB', async () => {
    const refused = await stage.post([rpc('tools/list'), rpc('tools/list')]);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('a batch can list the tools only once');
  });

  test('refuses the page of another site, also one whose name leads to this machine (DNS rebinding)', async () => {
    const from = async (origin: string, host?: string) =>
      (await stage.post(rpc('tools/list'), { origin, ...(host && { host }) })).status;
    expect(await from('https://evil.example')).toBe(403);
    expect(await from('http://evil.example', 'evil.example')).toBe(403);
    expect(await from('null')).toBe(403);
    expect(await from('https://app.example.com')).toBe(200);
    expect(await from(stage.url)).toBe(200);
  });

  test('says that it lives at /health', async () => {
    expect(await jsonOf(fetch(`${stage.url}/health`))).toEqual({ status: 'ok', service: 'service-mcp' });
  });
});

describe('credentials', () => {
  const challenge = (path: string) => `resource_metadata="${stage.url}/.well-known/oauth-protected-resource${path}"`;

  test('[mcp.key-missing] a call without a key gets 401 with the challenge', async () => {
    for (const message of [callTool('list_connections'), [rpc('ping'), callTool('list_connections')]]) {
      const refused = await stage.post(message);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, `Bearer ${challenge('/mcp')}`]);
      expect(await refused.json()).toMatchObject({
        error: 'API key required. Use Authorization: Bearer sk_<your_key> or x-service-key header.',
        docs: `${stage.url}/docs`,
      });
    }
    const atRoot = await stage.post(callTool('list_connections'), {}, '/');
    expect(atRoot.headers.get('www-authenticate')).toBe(`Bearer ${challenge('')}`);
  });

  test('[mcp.key-malformed] a malformed key gets 401 without a challenge, on every request', async () => {
    for (const headers of [bearer('sk_short'), { 'x-service-key': 'a'.repeat(30) }]) {
      const refused = await stage.post(rpc('tools/list'), headers);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, null]);
      expect(await refused.json()).toMatchObject({
        error: 'Malformed API key. Service keys start with sk_ and are 20-200 characters long.',
        docs: `${stage.url}/docs`,
      });
    }
  });

  test('[mcp.key-unknown] both headers carry the key, and a key that does not exist gets 401 with the challenge', async () => {
    for (const headers of [bearer(ada.apiKey), { 'x-service-key': ada.apiKey }]) {
      expect((await stage.post(callTool('list_connections'), headers)).status).toBe(200);
    }
    const refused = await stage.post(rpc('tools/list'), bearer(`sk_unknown.${'0'.repeat(52)}`));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer error="invalid_token", ${challenge('/mcp')}`,
    ]);
  });

  test('[mcp.access] an account without MCP access lists tools, and gets the refusal as the result of a call', async () => {
    const user = await stage.aUser();
    await stage.app.db.updateTable('users').set({ mcp_access: false }).where('id', '=', user.id).execute();
    const client = await stage.aClient({ user });
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    expect(await stage.call(client, 'list_connections')).toMatchObject({
      isError: true,
      body: { error: 'MCP access is not enabled for this account', code: 'MCP_ACCESS_DISABLED' },
    });
    expect((await user.call('GET', '/platform-connections')).status).toBe(200);
  });

  test('with MCP_AUTH=key there is no OAuth and no challenge', async () => {
    const { app, close } = await testApp({ environment: { MCP_AUTH: 'key' } });
    const server = await buildServer(app);
    const wellKnown = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp'];
    for (const url of ['/.well-known/oauth-protected-resource', ...wellKnown, '/authorize']) {
      const answer = await server.inject(url);
      expect([url, answer.statusCode, answer.json().error]).toEqual([url, 404, 'oauth_not_supported']);
    }
    for (const url of ['/register', '/token']) {
      const answer = await server.inject({ method: 'POST', url, payload: {} });
      expect([url, answer.statusCode, answer.json().error]).toEqual([url, 404, 'oauth_not_supported']);
    }
    const refused = await server.inject({ method: 'POST', url: '/mcp', payload: callTool('list_connections') });
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, undefined]);
    await server.close();
    await close();
  });
});

describe('errors', () => {
  test('have the whole body of the REST API, as text alone, with a hint that names tools', async () => {
    const args = { content: 'Hi', platforms: ['x'] };
    const { result } = await jsonOf(stage.post(callTool('create_post', args), bearer(ada.apiKey)));
    const rest = await ada.call('POST', '/create-post', args);
    expect(result).toEqual({ isError: true, content: [{ type: 'text', text: expect.any(String) }] });
    const body = JSON.parse(result.content[0].text);
    expect(body).toEqual({ ...rest.body, requestId: expect.any(String), hint: expect.any(String) });
    expect(body.hint).toContain('list_connections lists the ids');
  });

  test('an argument that leads to no route, or to another one, is refused', async () => {
    const client = await stage.aClient({ user: ada });
    const refused = (field: string, error: string) => ({
      isError: true,
      body: { code: 'INVALID_REQUEST', field, error },
    });
    expect(await stage.call(client, 'get_post')).toMatchObject(refused('postGroupId', 'postGroupId is required'));
    const dots = { postGroupId: '..', mediaId: 'f'.repeat(24) };
    expect(await stage.call(client, 'prune_media_reference', dots)).toMatchObject(
      refused('postGroupId', 'postGroupId is not valid'),
    );
    const { body } = await stage.call(client, 'delete_media', { mediaId: '../../auth/session' });
    expect(body).toMatchObject({ error: 'Invalid mediaId' });
  });
});

describe('an agent that makes a mistake', () => {
  test.each([
    ['get_post', {}, 'postGroupId is required', 'list_posts'],
    ['complete_media', {}, 'mediaId is required', 'get_upload_url'],
    ['test_connection', {}, 'platformId is required', 'list_connections'],
    ['post_stats', { platform: 'mastodon', platformId: 'x' }, 'postedIds is required', 'get_post'],
    ['delete_media', { mediaId: 'x' }, 'Invalid mediaId', 'get_post'],
    ['create_post', { content: 'Hi', platforms: 'x' }, 'platforms must be an array', 'an array of ids'],
    ['attach_media', { postGroupId: 'x', file: { file_id: '1' } }, 'file.download_url is required', 'download_url'],
    ['list_workspace_users', {}, 'Workspace access is not enabled for this key', 'the operator'],
  ])('%s with %j learns what to do next', async (tool, args, error, next) => {
    const client = await stage.aClient({ user: ada });
    expect(await stage.call(client, tool, args)).toMatchObject({
      isError: true,
      body: { error, hint: expect.stringContaining(next) },
    });
  });

  test('a draft that gets a time alone is said to be no scheduled post', async () => {
    const client = await stage.aClient({ user: ada });
    await client.listTools();
    const platforms = [await ada.aConnection()];
    const { body } = await stage.call(client, 'create_post', { content: 'Later', platforms });
    const { postGroupId } = body;
    const scheduledTime = new Date(Date.now() + 3_600_000).toISOString();
    const timed = await stage.call(client, 'update_post', { postGroupId, scheduledTime });
    expect(timed.body).toMatchObject({
      postGroup: { status: 'draft' },
      hint: expect.stringContaining('still a draft'),
    });
    const scheduled = await stage.call(client, 'update_post', { postGroupId, scheduledTime, status: 'scheduled' });
    expect(scheduled.body.hint).toBeUndefined();
  });

  test('the tools are not longer than an agent can read', async () => {
    const { tools: listed } = await (await stage.aClient()).listTools();
    const read = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(read).length).toBeLessThan(40_000);
  });
});

describe('resources', () => {
  const read = (client: Awaited<ReturnType<McpStage['aClient']>>, uri: string) => client.readResource({ uri });
  async function aPost(user: TestUser) {
    const platforms = [await user.aConnection()];
    return (await user.call('POST', '/create-post', { content: 'A secret draft', platforms })).body.postGroupId;
  }

  test('are listed without a key, and read with one', async () => {
    const anonymous = await stage.aClient();
    const { resources } = await anonymous.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['crier://connections', 'crier://platform-limits']);
    const { resourceTemplates } = await anonymous.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'crier://post/{postGroupId}',
      'crier://connection/{platformId}',
      'crier://platform-limits/{platform}',
    ]);
    expect((await stage.post(rpc('resources/read', { uri: 'crier://connections' }))).status).toBe(401);

    const client = await stage.aClient({ user: ada });
    const postGroupId = await aPost(ada);
    const contentOf = async (uri: string) => {
      const [content] = (await read(client, uri)).contents;
      return JSON.parse(content && 'text' in content ? content.text : '');
    };
    expect(await contentOf(`crier://post/${postGroupId}`)).toMatchObject({ postGroupId, status: 'draft' });
    const [{ platformId }] = (await contentOf('crier://connections')).connections;
    const uri = `crier://connection/${encodeURIComponent(platformId)}`;
    expect(await contentOf(uri)).toMatchObject({ platformId, connectionStatus: 'active' });
    const [platform] = platformId.split('-');
    expect(await contentOf(`crier://platform-limits/${platform}`)).toMatchObject({ platform });
    expect(await contentOf('crier://platform-limits')).toMatchObject({ schemaVersion: 1 });
  });

  test("another tenant's post and connection are as unknown as ones that nobody has", async () => {
    const client = await stage.aClient({ user: eve });
    const postGroupId = await aPost(ada);
    const platformId = encodeURIComponent(await ada.aConnection());
    const uris = [
      `crier://post/${postGroupId}`,
      `crier://post/${'f'.repeat(24)}`,
      `crier://connection/${platformId}`,
      'crier://post/not-an-id',
      'crier://post/..',
      'crier://post/%00',
      'crier://post/%E0%A4%A',
      'crier://platform-limits/constructor',
      'crier://toString',
      'file:///etc/passwd',
    ];
    for (const uri of uris) await expect(read(client, uri), uri).rejects.toThrow(/not found/i);
  });
});

test('[mcp.tools-added] the contract lists every tool', async () => {
  const text = await readFile(new URL('../../../docs/contract.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| <a id="mcp.tools-'));
  const listed = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual(tools.map(({ name }) => name).sort());
});

test('docs/agents.md lists every tool with its effect and title', async () => {
  const text = await readFile(new URL('../../../docs/agents.md', import.meta.url), 'utf8');
  const effects = { read: 'reads', write: 'changes', destructive: 'replaces or deletes' };
  const rows = tools.map(({ name, effect, title, isForWorkspaces }) => {
    const note = isForWorkspaces ? ' (workspace keys)' : '';
    return `| \`${name}\` | ${effects[effect]} | ${title}${note} |`;
  });
  const [, section = ''] = text.split('\n## Tools\n');
  const [listed = ''] = section.split('\n## ');
  expect(listed.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});
