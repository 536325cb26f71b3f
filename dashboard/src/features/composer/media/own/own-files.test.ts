import type { Media, PostGroup } from '@crier/client';
import { describe, expect, test } from 'vitest';
import { checkedFiles } from '../checked-files.ts';
import { inOrder, stagedFrom, withFile, withoutFile } from '../staged-files.ts';
import { copiesOf, filesOf, listOf, listsOfNew, type PostFiles, shownOwn } from './own-files.ts';

const file = (mediaId: string, more: Partial<Media> = {}): Media =>
  ({ mediaId, sourceFileName: `${mediaId}.png`, url: `/${mediaId}`, status: 'ready', shared: true, ...more }) as Media;
const own = (mediaId: string) => file(mediaId, { shared: false });
const ids = (files: readonly Media[] | null) => files?.map(({ mediaId }) => mediaId) ?? null;
const none = new Map<string, string>();
const instagram = 'instagram-1';

/** Keys in turn: `k1`, `k2`. */
function keys(base: readonly string[] = []) {
  let last = 0;
  const newKey = () => {
    last += 1;
    return `k${last}`;
  };
  return { base, newKey };
}

const post: PostFiles = { shared: [file('a'), file('b')], own: { [instagram]: [own('c'), own('d')] } };

describe('separate files of a channel', () => {
  test('are the list of its target, and the others are shared', () => {
    const media = [file('a'), own('c'), own('d')];
    const posts = [
      { platform: 'instagram', platformId: '1', mediaIds: ['d', 'c'] },
      { platform: 'x', platformId: '2' },
    ];
    const { shared, own: lists } = filesOf({ media, posts } as unknown as PostGroup);
    expect([ids(shared), Object.keys(lists), ids(lists[instagram]!)]).toEqual([['a'], [instagram], ['d', 'c']]);
  });

  test('start as the shared ones that are ready, with their alt texts', () => {
    const library = {
      source: { mediaId: 'library' },
      name: 'new.png',
      type: 'image',
      url: '/new',
      altText: 'New',
    } as const;
    const staged = withFile(stagedFrom(null, [file('a')], none), 'new', library, {}, none);
    const shared = [file('a', { altText: 'Sea' }), file('new'), file('later', { status: 'processing' as never })];
    const copies = copiesOf(shared, staged, keys(['old']));
    expect(copies.base).toEqual(['old']);
    expect(copies.order.map((key) => [copies.added[key]!.source, copies.added[key]!.altText])).toEqual([
      [{ mediaId: 'a' }, 'Sea'],
      [{ mediaId: 'library' }, 'New'],
    ]);
  });

  test('show what is staged, else what is stored, and nothing once the channel shares again', () => {
    expect(ids(shownOwn(instagram, {}, post, none))).toEqual(['c', 'd']);
    expect(shownOwn('mastodon-1', {}, post, none)).toBe(null);
    expect(shownOwn(instagram, { [instagram]: null }, post, none)).toBe(null);
    const turned = inOrder(stagedFrom(null, post.own[instagram]!, none), ['d', 'c']);
    expect(ids(shownOwn(instagram, { [instagram]: turned }, post, none))).toEqual(['d', 'c']);
  });

  test('keep what others add, and have the ids of what is attached', () => {
    const list = post.own[instagram]!;
    const staged = withoutFile(withFile(stagedFrom(null, list, none), 'k1', copy('x'), { at: 0 }, none), 'd');
    expect(listOf(staged, list, none)).toEqual(['k1', 'c']);
    expect(listOf(staged, [...list, own('e')], new Map([['k1', 'x1']]))).toEqual(['x1', 'c', 'e']);
  });

  test('go out with a channel that the post does not have yet, once all are attached', () => {
    const ownFiles = { [instagram]: copiesOf([file('a'), file('b')], null, keys()), 'x-1': null };
    const draft = { channels: [instagram, 'x-1'], ownFiles };
    const attached = new Map([['k1', 'a1']]);
    expect(listsOfNew(draft, [], attached)).toEqual({});
    attached.set('k2', 'b1');
    expect(listsOfNew(draft, [], attached)).toEqual({ [instagram]: ['a1', 'b1'] });
    expect(listsOfNew(draft, [instagram], attached)).toEqual({});
    expect(listsOfNew({ ...draft, channels: ['x-1'] }, [], attached)).toEqual({});
  });

  test('are checked by their ids in the library until they are attached', () => {
    const draft = { channels: [instagram, 'mastodon-1'], files: null, ownFiles: {} };
    const { shared } = post;
    expect(checkedFiles(draft, shared, {})).toEqual({ mediaIds: null, platformMedia: {} });
    expect(checkedFiles(draft, shared, { [instagram]: post.own[instagram]! })).toEqual({
      mediaIds: null,
      platformMedia: { [instagram]: ['c', 'd'] },
    });
    const staged = withFile(copiesOf([file('a')], null, keys()), 'new', copy('x'), {}, none);
    const lists = { [instagram]: shownOwn(instagram, { [instagram]: staged }, post, none)! };
    expect(
      checkedFiles({ ...draft, ownFiles: { [instagram]: { ...staged, base: ['c', 'd'] } } }, shared, lists),
    ).toEqual({
      mediaIds: ['a', 'b', 'x', 'c', 'd'],
      platformMedia: { [instagram]: ['a', 'x', 'c', 'd'], 'mastodon-1': ['a', 'b'] },
    });
    expect(checkedFiles({ ...draft, ownFiles: { [instagram]: null } }, shared, {})).toEqual({
      mediaIds: ['a', 'b'],
      platformMedia: {},
    });
  });
});

function copy(mediaId: string) {
  return { source: { mediaId }, name: `${mediaId}.png`, type: 'image', url: `/${mediaId}`, altText: '' } as const;
}
