import { describe, expect, test } from 'vitest';
import { startBluesky } from './testing.ts';

const now = () => 1_800_000_000_000;

describe('Bluesky’s rate limits and failures', () => {
  test('responses of a server report the limit closest to being used up', async () => {
    const ann = await (await startBluesky({ now })).account('ann');
    const { headers } = await ann.query('com.atproto.server.getSession');
    const shown = ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`ratelimit-${name}`));
    expect(shown).toEqual(['3000', '2999', String(now() / 1000 + 300), '3000;w=300']);
  });

  test.for<[rateLimits: 'off' | 'vendor', status: number]>([
    ['off', 401],
    ['vendor', 429],
  ])(
    'the 31st login in five minutes is over the limit, and with limits %s returns %i',
    async ([rateLimits, status]) => {
      const ann = await (await startBluesky({ now, rateLimits })).account('ann');
      for (let time = 1; time <= 30; time += 1) expect((await ann.createSession('wrong')).status).toBe(401);
      const last = await ann.createSession('wrong');
      expect([last.status, last.headers.get('ratelimit-remaining')]).toEqual([status, '0']);
    },
  );

  test('writing costs points: three to create, two to put, one to delete', async () => {
    let time = now();
    const ann = await (await startBluesky({ now: () => time })).account('ann');
    const place = { repo: ann.did, collection: 'app.bsky.feed.post' };
    const note = { collection: 'com.example.note', record: {} };
    for (let count = 1; count <= 700; count += 1) await ann.create({}, note);
    // The limit on calls starts again after five minutes. The limit on points is then the closer one.
    time += 300_000;
    const remaining = async (response: ReturnType<typeof ann.create>) =>
      (await response).headers.get('ratelimit-remaining');
    expect(await remaining(ann.create({ text: 'x' }))).toBe('2897');
    expect(await remaining(ann.put('3m5abcdefgh2k', { text: 'x' }))).toBe('2895');
    const rkey = '3m5abcdefgh2k';
    expect(await remaining(ann.procedure('com.atproto.repo.deleteRecord', { ...place, rkey }))).toBe('2894');
  });

  test('a fault has the vendor’s format', async () => {
    const sandbox = await startBluesky({ now });
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'rate_limit', retryAfterSeconds: 90, operation: 'publish' });
    const limited = await ann.create({ text: 'x' });
    expect(limited.status).toBe(429);
    expect(['retry-after', 'ratelimit-reset'].map((name) => limited.headers.get(name))).toEqual([
      '90',
      String(now() / 1000 + 90),
    ]);
    await sandbox.fault({ kind: 'expired_token', operation: 'publish' });
    const expired = await ann.create({ text: 'x' });
    expect([expired.status, (await expired.json()).error]).toEqual([400, 'ExpiredToken']);
    await sandbox.fault({ kind: 'status', status: 502, operation: 'publish' });
    expect(await (await ann.create({ text: 'x' })).json()).toEqual({
      error: 'UpstreamFailure',
      message: 'Upstream service unreachable',
    });
    await sandbox.fault({ kind: 'status', status: 400, operation: 'publish' });
    expect((await (await ann.create({ text: 'x' })).json()).error).toBe('InvalidRequest');
  });

  test('posts are "publish", replies also "comment", likes neither', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const { uri, cid } = await (await ann.create({ text: 'one' })).json();
    await sandbox.fault({ kind: 'status', status: 500, operation: 'comment' });
    await sandbox.fault({ kind: 'status', status: 503, operation: 'publish' });
    const createdAt = '2026-11-15T12:00:00.000Z';
    const like = { collection: 'app.bsky.feed.like', record: { subject: { uri, cid }, createdAt } };
    expect((await ann.create({}, like)).status).toBe(200);
    const reply = { root: { uri, cid }, parent: { uri, cid } };
    expect((await ann.create({ text: 'two', reply })).status).toBe(500);
    expect((await ann.create({ text: 'two', reply })).status).toBe(503);
    expect(await sandbox.posts()).toHaveLength(1);
  });

  test('the control API shows no secret', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    await ann.createSession(ann.credentials.appPassword);
    await ann.create({ text: 'one' });
    const shown = JSON.stringify([await sandbox.posts(), await sandbox.requests()]);
    for (const name of ['appPassword', 'accessJwt', 'refreshJwt']) expect(shown).not.toContain(ann.credentials[name]);
  });
});
