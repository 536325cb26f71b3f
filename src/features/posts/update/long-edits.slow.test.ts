import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';

let service: TestService;
let base: string;
beforeAll(async () => {
  // A rest of 1 ms per 1,000 characters.
  service = await testService({ environment: { RATE_LIMITS: '10' } });
  base = await service.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => service.close());

const tiny = { platformSettings: {} };
const edit = (user: TestUser, id: string, body: object = tiny) => user.call('PUT', `/update-post/${id}`, body);

async function aPost(user: TestUser, content = 'x'.repeat(290_000)): Promise<string> {
  const { body } = await user.call('POST', '/create-post', { content, platforms: [await user.aConnection()] });
  return body.postGroupId;
}

describe('tiny edits of a long post', () => {
  test('are made one at a time: 20 wait, more get 429, and those of other owners pass', async () => {
    const [eve, ann] = [await service.aUser(), await service.aUser()];
    const [long, short] = [await aPost(eve), await aPost(ann, 'Short')];
    const answered: string[] = [];
    const timed = async (name: string, user: TestUser, id: string) => {
      const answer = await edit(user, id);
      answered.push(`${name} ${answer.status}`);
      return answer;
    };
    const edits = Array.from({ length: 40 }, () => timed('eve', eve, long));
    const [ofAnn, ...ofEve] = await Promise.all([timed('ann', ann, short), ...edits]);
    expect(ofAnn.status).toBe(200);
    const refused = ofEve.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]!.body).toMatchObject({ code: 'RATE_LIMITED', retryAfterSec: 1 });
    expect(answered.indexOf('ann 200')).toBeLessThan(answered.lastIndexOf('eve 200'));
    expect((await edit(eve, long)).status).toBe(200);
  });

  test('of the managed users of an owner count together', async () => {
    const owner = await service.aUser();
    const managed = [await service.aUser(), await service.aUser(), await service.aUser()];
    const ids = managed.map(({ id }) => id);
    await service.database.pool.query('update users set parent_user_id = $1 where id = any($2)', [owner.id, ids]);
    const posts = await Promise.all(managed.map(async (user) => ({ user, id: await aPost(user) })));
    const answers = await Promise.all(
      posts.flatMap(({ user, id }) => Array.from({ length: 15 }, () => edit(user, id))),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
  });

  test('count by the texts of single connections too', async () => {
    const eve = await service.aUser();
    const platforms = [await eve.aConnection(), await eve.aConnection()];
    const platformContent = { [platforms[1]!]: 'y'.repeat(290_000) };
    const { body } = await eve.call('POST', '/create-post', { content: 'Short', platforms, platformContent });
    const answers = await Promise.all(Array.from({ length: 40 }, () => edit(eve, body.postGroupId)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
  });

  test('are not made if their client has gone while they waited', async () => {
    const eve = await service.aUser();
    const [first, second] = [await aPost(eve), await aPost(eve)];
    const versionOf = async (id: string) => (await eve.call('GET', `/dashboard/posts/${id}`)).body.version;
    const before = await versionOf(second);
    expect((await edit(eve, first)).status).toBe(200);
    // Rests for 290 ms now.
    const gone = new AbortController();
    const doomed = fetch(`${base}/api/v1/update-post/${second}`, {
      method: 'PUT',
      headers: { 'x-service-key': eve.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(tiny),
      signal: gone.signal,
    });
    await setTimeout(100);
    gone.abort();
    await expect(doomed).rejects.toThrow();
    expect((await edit(eve, first)).status).toBe(200);
    expect(await versionOf(second)).toBe(before);
  });
});

test('the texts of a post have a limit together, however many edits add them', async () => {
  const eve = await service.aUser();
  const platforms = [await eve.aConnection(), await eve.aConnection(), await eve.aConnection()];
  const text = 'z'.repeat(250_000);
  const { body } = await eve.call('POST', '/create-post', { content: text + text.slice(0, 1), platforms });
  const answers = [];
  for (const id of platforms) answers.push(await edit(eve, body.postGroupId, { platformContent: { [id]: text } }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  expect(answers[2]!.body.error).toBe('content and platformContent must have at most 1000000 characters together');
  // Less text is possible at any time.
  expect((await edit(eve, body.postGroupId, { platforms: platforms.slice(2) })).status).toBe(200);
});

test('a user who reads many long posts to edit them waits alone', async () => {
  const [eve, ann] = [await service.aUser(), await service.aUser()];
  const [long, short] = [await aPost(eve), await aPost(ann, 'Short')];
  const answered: string[] = [];
  const read = async (name: string, user: TestUser, id: string) => {
    const { status } = await user.call('GET', `/dashboard/posts/${id}`);
    expect([200, 429]).toContain(status);
    answered.push(name);
  };
  const reads = Array.from({ length: 40 }, () => read('eve', eve, long));
  await Promise.all([...reads, read('ann', ann, short)]);
  expect(answered.indexOf('ann')).toBeLessThan(15);
});
