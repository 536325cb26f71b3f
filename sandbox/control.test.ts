import { describe, expect, test } from 'vitest';
import { startTestSandbox } from './testing.ts';

describe('the control API', () => {
  test('health identifies the sandbox and lists its networks', async () => {
    const sandbox = await startTestSandbox();
    const health = await (await sandbox.at('/_control/health')).json();
    expect(health.sandbox).toBe('crier');
    expect(health.networks).toContain('mastodon');
  });

  test('a new account comes with credentials that work', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    expect(ann.account).toMatchObject({ handle: 'ann', profileUrl: 'https://mastodon.social/@ann' });
    expect(ann.credentials).toEqual({
      instance: 'mastodon.social',
      accessToken: expect.any(String),
      scope: 'read write profile',
    });
    const me = await (await ann.get('/api/v1/accounts/verify_credentials')).json();
    expect(me).toMatchObject({ id: ann.account.id, username: 'ann' });
  });

  test('a token has the scopes that were asked for, and the answer names those granted', async () => {
    const sandbox = await startTestSandbox();
    const make = async (more: object) =>
      (await sandbox.sendJson('POST', '/_control/accounts', { network: 'mastodon', handle: 'ann', ...more })).json();
    expect((await make({})).scope).toBe('read write profile');
    const { credentials, scope } = await make({ scope: 'read:accounts' });
    expect(scope).toBe('read:accounts');
    const headers = { authorization: `Bearer ${credentials.accessToken}` };
    const call = { method: 'POST', headers, body: new URLSearchParams({ status: 'Hello' }) };
    expect((await sandbox.at('/mastodon.social/api/v1/statuses', call)).status).toBe(403);
  });

  test('a known handle returns the same account with a new token', async () => {
    const sandbox = await startTestSandbox();
    const first = await sandbox.account('ann');
    const second = await sandbox.account('@Ann@mastodon.social');
    expect(second.account).toEqual(first.account);
    expect(second.credentials.accessToken).not.toBe(first.credentials.accessToken);
    expect((await first.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
    const accounts = await (await sandbox.at('/_control/accounts?network=mastodon')).json();
    expect(accounts).toHaveLength(1);
  });

  test('a handle may name its server', async () => {
    const sandbox = await startTestSandbox();
    const { account, credentials } = await sandbox.account('bo@art.mastodon.example');
    expect(account.handle).toBe('bo@art.mastodon.example');
    expect(credentials.instance).toBe('art.mastodon.example');
  });

  test('posts are listed in order with their requests and without secrets', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const first = await (await ann.publish({ status: 'one' }, { 'x-mark': 'here' })).json();
    await bo.publish({ status: 'two', in_reply_to_id: first.id });
    const posts = await sandbox.posts();
    expect(posts[0]).toEqual({
      network: 'mastodon',
      account: 'ann',
      id: first.id,
      text: 'one',
      media: [],
      inReplyTo: null,
      createdAt: first.created_at,
      url: first.url,
      request: { headers: expect.objectContaining({ 'x-mark': 'here' }), body: { status: 'one' } },
    });
    expect(posts[1]).toMatchObject({ account: 'bo', text: 'two', inReplyTo: first.id });
    expect(JSON.stringify(posts)).not.toContain(ann.credentials.accessToken);
    expect(posts[0].request.headers.authorization).toBe('Bearer [redacted]');
    const ofBo = await (await sandbox.at(`/_control/posts?network=mastodon&account=bo`)).json();
    const byId = await (await sandbox.at(`/_control/posts?network=mastodon&account=${bo.account.id}`)).json();
    expect(ofBo.map((post: { text: string }) => post.text)).toEqual(['two']);
    expect(byId).toEqual(ofBo);
  });

  test('requests are listed in order with their operation and status', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    const { id } = await (await ann.publish({ status: 'one' })).json();
    await ann.publish({ status: 'two', in_reply_to_id: id });
    await ann.publish({ status: '' });
    await ann.get(`/api/v1/statuses/${id}`);
    expect(await sandbox.requests()).toMatchObject([
      { network: 'mastodon', operation: 'publish', method: 'POST', path: '/api/v1/statuses', status: 200 },
      { operation: 'comment', status: 200, time: expect.stringMatching(/Z$/) },
      { operation: 'publish', status: 422 },
      { operation: 'stats', method: 'GET', path: `/api/v1/statuses/${id}`, status: 200 },
    ]);
  });

  test('requests are listed with headers and bodies, without secrets, by a sandbox that records them', async () => {
    const sandbox = await startTestSandbox({ recordBodies: true });
    const ann = await sandbox.account('ann');
    await ann.publish({ status: 'one', access_token: 'hidden-1' }, { 'x-mark': 'here' });
    await ann.upload(new Uint8Array([1, 2, 3]), { description: 'Three bytes' });
    const [publish, upload] = await sandbox.requests();
    expect(publish.request).toMatchObject({
      headers: { authorization: 'Bearer [redacted]', 'x-mark': 'here' },
      body: { status: 'one', access_token: '[redacted]' },
    });
    expect(publish.response).toMatchObject({
      headers: { 'content-type': expect.stringContaining('json') },
      body: { content: '<p>one</p>', account: { username: 'ann' } },
    });
    expect(upload.request.body).toMatchObject({ description: 'Three bytes', file: { name: 'file.bin', bytes: 3 } });
  });

  test('secrets in answers are not recorded, whether in a field or in an address', async () => {
    const sandbox = await startTestSandbox({ recordBodies: true });
    const { account, credentials } = await sandbox.account('ann', 'bluesky');
    const session = { identifier: account.handle, password: credentials.appPassword };
    const path = `/${new URL(credentials.pds).host}/xrpc/com.atproto.server.createSession`;
    const { accessJwt } = await (await sandbox.sendJson('POST', path, session)).json();
    const [only] = await sandbox.requests('bluesky');
    expect(only.request.body).toEqual({ identifier: account.handle, password: '[redacted]' });
    expect(only.response.body).toMatchObject({ accessJwt: '[redacted]', refreshJwt: '[redacted]', did: account.id });
    expect(JSON.stringify(only)).not.toContain(accessJwt);
  });

  test.each([
    ['/_control/faults', { network: 'orkut', kind: 'status' }, /`network` must be one of: .*mastodon/],
    ['/_control/faults', { network: 'mastodon' }, /`kind` must be one of: status, rate_limit, timeout/],
    ['/_control/faults', { network: 'mastodon', kind: 'status' }, /`status` must be a whole number from 400 to 599/],
    ['/_control/faults', { network: 'mastodon', kind: 'latency' }, /`latencyMs` must be a whole number/],
    ['/_control/faults', { network: 'mastodon', kind: 'timeout', operation: 'publsh' }, /`operation` must be one of/],
    ['/_control/faults', { network: 'mastodon', kind: 'timeout', times: 0 }, /`times` must be a whole number from 1/],
    [
      '/_control/faults',
      { network: 'mastodon', kind: 'timeout', time: 3 },
      /`time` is not a field of this request. Allowed fields:/,
    ],
    ['/_control/accounts', { network: 'mastodon' }, /`handle` must be a non-empty string/],
    [
      '/_control/accounts',
      { network: 'mastodon', handle: 'not a handle' },
      /`handle` must be a handle that Mastodon allows/,
    ],
    ['/_control/accounts', { network: 'mastodon', handle: 'ann', premium: 'yes' }, /`premium` must be true or false/],
    ['/_control/reset', { keepAccounts: 1 }, /`keepAccounts` must be true or false/],
  ])('%s refuses %j and states what is allowed', async (path, body, message) => {
    const sandbox = await startTestSandbox();
    const response = await sandbox.sendJson('POST', path, body);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatch(message);
  });

  test.each(['/_control', '/_control/', '/_control?network=mastodon', '/_control/nothing'])(
    '%s does not exist, and the answer lists what does',
    async (path) => {
      const sandbox = await startTestSandbox();
      const response = await sandbox.at(path);
      expect(response.status).toBe(404);
      expect((await response.json()).error).toMatch(/does not exist\. Available: GET \/_control\/health, /);
    },
  );

  test('a body that is not a JSON object, or not declared as JSON, is refused', async () => {
    const sandbox = await startTestSandbox();
    const headers = { 'content-type': 'application/json' };
    expect((await sandbox.at('/_control/faults', { method: 'POST', body: '[1', headers })).status).toBe(400);
    expect((await sandbox.at('/_control/reset', { method: 'POST', body: '{}' })).status).toBe(400);
  });

  test('reset deletes all posts, accounts, tokens, faults and requests', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await ann.publish({ status: 'one' });
    await sandbox.fault({ kind: 'reset_before' });
    await sandbox.sendJson('POST', '/_control/reset', {});
    expect(await sandbox.posts()).toEqual([]);
    expect(await sandbox.requests()).toEqual([]);
    expect(await (await sandbox.at('/_control/faults')).json()).toEqual([]);
    expect(await (await sandbox.at('/_control/accounts')).json()).toEqual([]);
    expect((await ann.publish({ status: 'two' })).status).toBe(401);
  });

  test('reset with keepAccounts keeps connections working', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await ann.publish({ status: 'one' });
    await sandbox.sendJson('POST', '/_control/reset', { network: 'mastodon', keepAccounts: true });
    expect(await sandbox.posts()).toEqual([]);
    expect((await ann.publish({ status: 'two' })).status).toBe(200);
  });

  test('switches are listed with what they do, turned on and off, and reset', async () => {
    const sandbox = await startTestSandbox();
    const read = async () => {
      const listed = await (await sandbox.at('/_control/switches')).json();
      return listed.find(({ name }: { name: string }) => name === 'summonedRepliesOnly');
    };
    const turn = (body: { name: string; on: boolean }) =>
      sandbox.sendJson('POST', '/_control/switches', { network: 'twitter', ...body });
    expect(await read()).toEqual({
      network: 'twitter',
      name: 'summonedRepliesOnly',
      about: expect.any(String),
      on: false,
    });
    expect((await turn({ name: 'summonedRepliesOnly', on: true })).status).toBe(200);
    expect(await read()).toMatchObject({ on: true });
    await sandbox.sendJson('POST', '/_control/reset', { network: 'mastodon' });
    expect(await read()).toMatchObject({ on: true });
    await sandbox.sendJson('POST', '/_control/reset', { network: 'twitter' });
    expect(await read()).toMatchObject({ on: false });
    const unknown = await turn({ name: 'nonsense', on: true });
    expect([unknown.status, (await unknown.json()).error]).toEqual([
      400,
      expect.stringMatching(/`name` must be a switch of X: summonedRepliesOnly, /),
    ]);
  });

  test('revoked tokens and suspended accounts get the network’s own errors', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    await sandbox.sendJson('PATCH', '/_control/accounts', { network: 'mastodon', handle: 'ann', revokeTokens: true });
    await sandbox.sendJson('PATCH', '/_control/accounts', { network: 'mastodon', handle: 'bo', suspended: true });
    const revoked = await ann.publish({ status: 'one' });
    expect([revoked.status, await revoked.json()]).toEqual([401, { error: 'The access token was revoked' }]);
    const suspended = await bo.publish({ status: 'one' });
    expect([suspended.status, await suspended.json()]).toEqual([403, { error: 'Your login is currently disabled' }]);
  });

  test('a host that no network serves gets a 502 that says so', async () => {
    const sandbox = await startTestSandbox();
    const response = await sandbox.at('/example.org/api');
    expect(response.status).toBe(502);
    expect((await response.json()).error).toBe('No sandbox network serves the host "example.org".');
  });
});
