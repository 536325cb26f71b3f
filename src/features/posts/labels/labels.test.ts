import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { labelColours, labelLimits } from '../../../foundation/errors/labels.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;
let ada: TestUser;
let mastodon: string;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.aUser();
  mastodon = await ada.aConnection();
});

let made = 0;
const send = (body: object) => {
  made += 1;
  return ada.call('POST', '/create-post', { content: `Post ${made}`, platforms: [mastodon], ...body });
};
async function create(body: object = {}): Promise<string> {
  const { status, body: answer } = await send(body);
  expect(status).toBe(200);
  return answer.postGroupId;
}
const labelsOf = async (id: string) => (await ada.call('GET', `/get-post/${id}`)).body.labels;
const update = (id: string, body: object) => ada.call('PUT', `/update-post/${id}`, body);
const listed = async (query: Record<string, string>, user = ada) => {
  const { body } = await user.call('GET', `/list-posts?${new URLSearchParams(query)}`);
  return body.posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId);
};
const names = async (user = ada) =>
  (await user.call('GET', '/labels')).body.labels.map(({ name }: { name: string }) => name);

describe('labels of a post', () => {
  test('[labels.shown] are stored with it, trimmed and once each, and shown by get-post, list-posts and the editor', async () => {
    const id = await create({ labels: [' launch ', 'launch', 'Été'] });
    expect(await labelsOf(id)).toEqual(['launch', 'Été']);
    const { body } = await ada.call('GET', '/list-posts');
    expect(body.posts[0].labels).toEqual(['launch', 'Été']);
    const compact = await ada.call('GET', '/list-posts?fields=compact');
    expect(compact.body.posts[0].labels).toEqual(['launch', 'Été']);
    expect((await ada.call('GET', `/dashboard/posts/${id}`)).body.labels).toEqual(['launch', 'Été']);
  });

  test('are absent from the answers for a post without any', async () => {
    const id = await create();
    expect((await ada.call('GET', `/get-post/${id}`)).body).not.toHaveProperty('labels');
    expect((await ada.call('GET', '/list-posts')).body.posts[0]).not.toHaveProperty('labels');
  });

  test('[labels.post] stay with an update that does not name them, are replaced by one that does, and removed by an empty list', async () => {
    const id = await create({ labels: ['launch'], scheduledTime: '2027-03-05T09:00:00Z' });
    await update(id, { content: 'Another text' });
    expect(await labelsOf(id)).toEqual(['launch']);
    await update(id, { labels: ['autumn'] });
    expect([await labelsOf(id), await listed({ label: 'autumn' }), await listed({ label: 'launch' })]).toEqual([
      ['autumn'],
      [id],
      [],
    ]);
    await update(id, { labels: [] });
    expect([await labelsOf(id), await listed({ label: 'autumn' })]).toEqual([undefined, []]);
  });

  test('[labels.ended] can be changed after the post was published, but nothing else with them', async () => {
    const id = await create({ publishNow: true });
    await publishDue(service.app);
    const { status, body } = await update(id, { labels: ['launch'] });
    expect([status, body.postGroup.status]).toEqual([200, 'published']);
    expect([await labelsOf(id), await listed({ label: 'launch' })]).toEqual([['launch'], [id]]);
    const both = await update(id, { labels: ['autumn'], content: 'Too late' });
    expect([both.status, both.body.code]).toEqual([400, 'POST_NOT_EDITABLE']);
    expect(await labelsOf(id)).toEqual(['launch']);
  });

  test('with an Idempotency-Key a repeated change of a published post gets the same answer', async () => {
    const id = await create({ publishNow: true });
    await publishDue(service.app);
    const call = () => ada.call('PUT', `/update-post/${id}`, { labels: ['launch'] }, { 'idempotency-key': 'one' });
    const first = await call();
    expect((await call()).body).toEqual(first.body);
  });

  test.for<[labels: unknown, code: string]>([
    ['launch', 'INVALID_LABELS'],
    [[''], 'INVALID_LABELS'],
    [[7], 'INVALID_LABELS'],
    [['two\nlines'], 'INVALID_LABELS'],
    [['x'.repeat(labelLimits.length + 1)], 'INVALID_LABELS'],
    [Array.from({ length: labelLimits.perPost + 1 }, (_, index) => `label ${index}`), 'INVALID_LABELS'],
  ])('[labels.post] %j are refused', async ([labels, code]) => {
    const { status, body } = await send({ labels });
    expect([status, body.code, body.field]).toEqual([400, code, 'labels']);
    expect(await listed({})).toEqual([]);
  });
});

describe('list-posts with a label', () => {
  test('[labels.filter] lists only posts with exactly this label, with every other filter', async () => {
    const launch = await create({ labels: ['launch'], content: 'Bread and cake' });
    await create({ labels: ['launch party'] });
    const scheduled = await create({ labels: ['launch'], scheduledTime: '2027-03-05T09:00:00Z' });
    expect(await listed({ label: 'launch' })).toEqual([scheduled, launch]);
    expect(await listed({ label: 'launch', q: 'cak' })).toEqual([launch]);
    expect(await listed({ label: 'launch', status: 'scheduled', fields: 'compact' })).toEqual([scheduled]);
    expect(await listed({ label: 'laun' })).toEqual([]);
    expect(await listed({ q: 'launch' })).toEqual([]);
  });

  test.for(["it's", 'back\\slash', '#1', "'; drop", 'a & b', '🎂', 'two  words'])('finds %j', async (label) => {
    const id = await create({ labels: [label] });
    expect(await listed({ label })).toEqual([id]);
    expect(await names()).toEqual([label]);
  });

  test("does not list another user's posts", async () => {
    await create({ labels: ['launch'] });
    const ben = await service.aUser();
    expect([await listed({ label: 'launch' }, ben), await names(ben)]).toEqual([[], []]);
    expect((await ben.call('PATCH', '/labels/launch', { colour: 'pink' })).status).toBe(404);
  });
});

describe('/labels', () => {
  test('[labels.list] lists labels that a post has, in alphabetical order, each with a color that can be changed', async () => {
    const id = await create({ labels: ['beta', 'Alpha'] });
    const { labels } = (await ada.call('GET', '/labels')).body;
    expect(labels.map(({ name }: { name: string }) => name)).toEqual(['Alpha', 'beta']);
    for (const { colour } of labels) expect(labelColours).toContain(colour);
    const changed = await ada.call('PATCH', '/labels/beta', { colour: 'pink' });
    expect(changed.body).toEqual({ success: true, label: { name: 'beta', colour: 'pink' } });
    await update(id, { labels: ['beta'] });
    expect((await ada.call('GET', '/labels')).body.labels).toEqual([{ name: 'beta', colour: 'pink' }]);
  });

  test('an unknown label and an unknown color are refused', async () => {
    await create({ labels: ['beta'] });
    const unknown = await ada.call('PATCH', '/labels/gamma', { colour: 'pink' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'LABEL_NOT_FOUND']);
    const colour = await ada.call('PATCH', '/labels/beta', { colour: 'beige' });
    expect([colour.status, colour.body.code]).toEqual([400, 'INVALID_COLOUR']);
  });

  test('[labels.limit] a user can have a limited number of labels, of which unused ones make room', async () => {
    const count = labelLimits.perUser / labelLimits.perPost;
    const label = (post: number, place: number) => `${post}-${place}`;
    const labelsFor = (post: number) => Array.from({ length: labelLimits.perPost }, (_, place) => label(post, place));
    const ids = await Promise.all(Array.from({ length: count }, (_, post) => create({ labels: labelsFor(post) })));
    const refused = await send({ labels: ['one more'] });
    expect([refused.status, refused.body.code]).toEqual([400, 'LABEL_LIMIT_REACHED']);
    expect(await listed({ label: 'one more' })).toEqual([]);
    await update(ids[0]!, { labels: [] });
    await create({ labels: ['one more'] });
    expect(await names()).toHaveLength(labelLimits.perUser - labelLimits.perPost + 1);
  });

  test('[labels.limit] posts at the same time do not exceed it together', async () => {
    const labelsFor = (post: number, count: number) => Array.from({ length: count }, (_, place) => `${post}-${place}`);
    const full = labelLimits.perUser / labelLimits.perPost - 1;
    await Promise.all(
      Array.from({ length: full }, (_, post) => create({ labels: labelsFor(post, labelLimits.perPost) })),
    );
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, post) => (await send({ labels: labelsFor(100 + post, 4) })).status),
    );
    expect(statuses.toSorted()).toEqual([200, 200, ...Array(6).fill(400)]);
    expect(await names()).toHaveLength(labelLimits.perUser - 2);
  });
});
