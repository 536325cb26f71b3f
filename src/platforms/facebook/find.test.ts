import { describe, expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import type { PublishContext } from '../kit/index.ts';
import { stepRunner, until } from '../kit/steps.ts';
import type { Credentials } from './api.ts';
import { type FeedPost, findPost } from './find.ts';
import { createPost } from './publish.ts';

/**
 * A fake Facebook that responds to each listing with the next of `lists`, and to each attempt to post with the next of
 * `posts`.
 */
async function vendor({ lists = [] as unknown[], posts = [] as ('hang up' | object)[] }) {
  const asked: URL[] = [];
  const steps = memorySteps();
  const server = await serve((request, response) => {
    const isSearch = request.method === 'GET';
    if (isSearch) asked.push(new URL(request.url ?? '', 'https://graph.facebook.com'));
    const answer = isSearch ? lists.shift() : posts.shift();
    if (answer === 'hang up') return void request.socket.destroy();
    const isRefusal = typeof answer === 'object' && answer !== null && 'error' in answer;
    response.writeHead(isRefusal ? 400 : 200).end(JSON.stringify(answer ?? { data: [] }));
  });
  const account = { id: '1043', handle: 'bakery', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const applications = { facebook: { id: 'app', secret: 'app-secret' } };
  const run = (): PublishContext<Credentials> => ({
    ...platformClient({ ...server.access(), applications }, 'facebook', new AbortController().signal),
    account,
    credentials: { accessToken: 'EAAP-token', pageId: '1043' },
    postId: 'p',
    step: stepRunner(steps.claim()),
    until,
  });
  return { asked, steps, run, [Symbol.asyncDispose]: server.close };
}

const since = new Date('2031-02-03T04:05:06.789Z');
const photo = (id: string) => ({ type: 'photo', target: { id } });
const album = (...ids: string[]) => ({ type: 'album', target: { id: '9' }, subattachments: { data: ids.map(photo) } });
const aPost = (number: number, more: object = {}) => ({
  id: `1043_${number}`,
  message: 'Same words',
  created_time: '2031-02-03T04:05:07+0000',
  status_type: 'mobile_status_update',
  ...more,
});
const withPhotos = (number: number, ...attachments: object[]) =>
  aPost(number, { status_type: 'added_photos', attachments: { data: attachments } });
const more = (after: string) => ({
  paging: { cursors: { after }, next: `https://graph.facebook.com/?after=${after}` },
});

const search = async (draft: Partial<FeedPost>, ...lists: unknown[]) => {
  await using facebook = await vendor({ lists });
  return await findPost({ text: 'Same words', link: null, photoIds: [], ...draft }, since, facebook.run());
};
const found = async (draft: Partial<FeedPost>, ...lists: unknown[]) => (await search(draft, ...lists)).posts;

describe('after an unknown outcome', () => {
  test('the posts of the Page are read, without the token in the URL', async () => {
    await using facebook = await vendor({ lists: [{ data: [aPost(5)], ...more('x') }, { data: [] }] });
    await findPost({ text: 'Others', link: null, photoIds: [] }, since, facebook.run());
    expect(facebook.asked.map(({ pathname }) => pathname)).toEqual(Array(2).fill('/v26.0/1043/published_posts'));
    expect(facebook.asked.map(({ searchParams }) => searchParams.get('after'))).toEqual([null, 'x']);
    expect(facebook.asked.join()).not.toContain('EAAP-token');
  });

  test('all matches are found on all pages of the list, the oldest first', async () => {
    const lists = [{ data: [aPost(5), aPost(4)], ...more('x') }, { data: [aPost(3), aPost(2, { message: 'Others' })] }];
    expect(await found({}, ...lists)).toMatchObject([{ id: '1043_3' }, { id: '1043_4' }, { id: '1043_5' }]);
  });

  test('its URL is Facebook’s, or made from the id', async () => {
    const permalink_url = 'https://www.facebook.com/1043/posts/5';
    expect(await found({}, { data: [aPost(5, { permalink_url })] })).toEqual([{ id: '1043_5', url: permalink_url }]);
    expect(await found({}, { data: [aPost(5)] })).toEqual([{ id: '1043_5', url: 'https://www.facebook.com/1043_5' }]);
  });

  test('a post from before is not ours, and ends the search', async () => {
    const old = aPost(5, { created_time: '2031-02-03T04:04:06+0000' });
    const lists = [{ data: [old], ...more('x') }, { data: [aPost(4)] }];
    expect(await search({}, ...lists)).toEqual({ posts: [], doubtful: [], inconclusive: null });
  });

  test('white space does not matter, words do', async () => {
    const list = { data: [aPost(5, { message: 'Same  words\n' })] };
    expect(await found({ text: '\nSame\r\nwords' }, list)).toMatchObject([{ id: '1043_5' }]);
    expect(await found({ text: 'Samewords' }, list)).toEqual([]);
  });

  test.for<[title: string, photoIds: string[], post: object, ours: 'ours' | 'doubtful' | 'not ours']>([
    ['a post with our photo is ours', ['7'], withPhotos(5, photo('7')), 'ours'],
    ['a post with our photos is ours', ['7', '8'], withPhotos(5, album('8', '7')), 'ours'],
    ['a post with other photos is not ours', ['7', '8'], withPhotos(5, album('7', '9')), 'not ours'],
    ['a post whose photos Facebook does not list leaves it open', ['7'], withPhotos(5), 'doubtful'],
    ['a post with photos is not ours if ours has none', [], withPhotos(5, photo('7')), 'not ours'],
    ['a post with a preview is ours', [], aPost(5, { status_type: 'shared_story', ...withLink() }), 'ours'],
  ])('%s', async ([, photoIds, post, ours]) => {
    const { posts, doubtful } = await search({ photoIds }, { data: [post] });
    expect([posts.length, doubtful.length]).toEqual([Number(ours === 'ours'), Number(ours === 'doubtful')]);
  });

  test('more posts than the limit leave it open', async () => {
    const page = { data: [aPost(5, { message: 'Others' })], ...more('x') };
    expect((await search({}, page, page, page, page, page)).inconclusive?.kind).toBe('unknown_outcome');
  });

  test('an unreadable time leaves it open', async () => {
    const failed = await failureOf(found({}, { data: [aPost(5, { created_time: 'yesterday' })] }));
    expect(failed.kind).toBe('unavailable');
  });
});

const withLink = () => ({ attachments: { data: [{ type: 'share', target: { url: 'https://example.com' } }] } });

describe('a duplicate that Facebook refuses', () => {
  const refused = { error: { code: 506, message: '(#506) Duplicate status message' } };
  const draft: FeedPost = { text: 'Hello', link: null, photoIds: [] };
  const listed = () => ({ data: [aPost(5, { message: 'Hello', created_time: new Date().toISOString() })] });

  test('of a post that an earlier run sent is that post, once Facebook lists it', async () => {
    await using facebook = await vendor({ posts: ['hang up', refused], lists: [{ data: [] }, listed()] });
    await failureOf(createPost(draft, facebook.run()));
    expect(await createPost(draft, facebook.run())).toMatchObject({ id: '1043_5' });
  });

  test('of a post that Facebook does not list yet stays open until it does', async () => {
    const none = { data: [] };
    const lists = [none, none, none, listed()];
    await using facebook = await vendor({ posts: ['hang up', refused], lists });
    await failureOf(createPost(draft, facebook.run()));
    const failed = await failureOf(createPost(draft, facebook.run()));
    expect(failed).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
    expect(facebook.steps.open()).toEqual(['post']);
    expect(await createPost(draft, facebook.run())).toMatchObject({ id: '1043_5' });
  });

  test('of a post that this one did not send is rejected without a search', async () => {
    await using facebook = await vendor({ posts: [refused], lists: [listed()] });
    expect((await failureOf(createPost(draft, facebook.run()))).kind).toBe('rejected');
    expect(facebook.asked).toEqual([]);
    expect(facebook.steps.open()).toEqual([]);
  });
});
