import { describe, expect, test } from 'vitest';
import { aBluesky } from './testing.ts';

const now = () => 1_800_000_000_000;

describe('Bluesky’s rate limits and failures', () => {
  test('answers of a server carry the budget nearest to its end', async () => {
    const ann = await (await aBluesky({ now })).account('ann');
    const { headers } = await ann.query('com.atproto.server.getSession');
    const shown = ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`ratelimit-${name}`));
    expect(shown).toEqual(['3000', '2999', String(now() / 1000 + 300), '3000;w=300']);
  });

  test.for<[rateLimits: 'off' | 'vendor', status: number]>([
    ['off', 401],
    ['vendor', 429],
  ])(
    'the 31st sign-in in five minutes is over the budget, and with limits %s answers %i',
    async ([rateLimits, status]) => {
      const ann = await (await aBluesky({ now, rateLimits })).account('ann');
      for (let time = 1; time <= 30; time += 1) expect((await ann.signIn('wrong')).status).toBe(401);
      const last = await ann.signIn('wrong');
      expect([last.status, last.headers.get('ratelimit-remaining')]).toEqual([status, '0']);
    },
  );

  test('writing costs points: three to create, two to put, one to delete', async () => {
    const ann = await (await aBluesky({ now, rateLimits: 'vendor' })).account('ann');
    const place = { repo: ann.did, collection: 'app.bsky.feed.post' };
    const note = { $type: 'com.atproto.repo.applyWrites#create', collection: 'com.example.note', value: {} };
    const many = () => ann.procedure('com.atproto.repo.applyWrites', { repo: ann.did, writes: Array(200).fill(note) });
    for (let time = 1; time <= 8; time += 1) expect((await many()).status).toBe(200);
    const remaining = async (answer: ReturnType<typeof many>) => (await answer).headers.get('ratelimit-remaining');
    expect(await remaining(ann.create({ text: 'x' }))).toBe('197');
    expect(await remaining(ann.put('3m5abcdefgh2k', { text: 'x' }))).toBe('195');
    const rkey = '3m5abcdefgh2k';
    expect(await remaining(ann.procedure('com.atproto.repo.deleteRecord', { ...place, rkey }))).toBe('194');
    const over = await many();
    expect([over.status, await over.json()]).toEqual([
      429,
      { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' },
    ]);
  });

  test('a fault answers in the vendor’s shape', async () => {
    const sandbox = await aBluesky({ now });
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

  test('posts are "publish", replies "comment" too, likes neither', async () => {
    const sandbox = await aBluesky();
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

  test('no secret shows in what the control API tells', async () => {
    const sandbox = await aBluesky();
    const ann = await sandbox.account('ann');
    await ann.signIn(ann.credentials.appPassword);
    await ann.create({ text: 'one' });
    const told = JSON.stringify([await sandbox.posts(), await sandbox.requests()]);
    for (const name of ['appPassword', 'accessJwt', 'refreshJwt']) expect(told).not.toContain(ann.credentials[name]);
  });
});
