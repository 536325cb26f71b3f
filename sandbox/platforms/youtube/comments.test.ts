import { describe, expect, test } from 'vitest';
import { errorOf, startYouTube } from './testing.ts';

describe('YouTube comments', () => {
  test('a comment stands under its video and is counted', async () => {
    const youtube = await startYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload();
    const thread = await (await bob.comment(id, 'First <3\n& more')).json();
    expect(thread.snippet).toMatchObject({
      videoId: id,
      topLevelComment: { snippet: { textOriginal: 'First <3\n& more', textDisplay: 'First &lt;3<br>&amp; more' } },
    });
    expect(await youtube.posts()).toMatchObject([{ id }, { id: thread.id, text: 'First <3\n& more', inReplyTo: id }]);
    expect((await ann.video(id)).statistics.commentCount).toBe('1');
  });

  test('a comment has 1 to 10,000 characters', async () => {
    const ann = await (await startYouTube()).channel('ann');
    const id = await ann.upload();
    expect((await ann.comment(id, '🎉'.repeat(10_000))).status).toBe(200);
    expect(await errorOf(await ann.comment(id, 'a'.repeat(10_001)))).toEqual([400, 'commentTextTooLong']);
    expect(await errorOf(await ann.comment(id, ' '))).toEqual([400, 'commentTextRequired']);
  });

  test('private videos, videos made for children and unknown videos take no comments', async () => {
    const ann = await (await startYouTube()).channel('ann');
    const hidden = await ann.upload({ status: { privacyStatus: 'private' } });
    const forKids = await ann.upload({ status: { selfDeclaredMadeForKids: true } });
    expect(await errorOf(await ann.comment(hidden, 'Hi'))).toEqual([403, 'commentsDisabled']);
    expect(await errorOf(await ann.comment(forKids, 'Hi'))).toEqual([403, 'commentsDisabled']);
    expect((await ann.video(forKids)).statistics.commentCount).toBeUndefined();
    expect(await errorOf(await ann.comment('none', 'Hi'))).toEqual([404, 'videoNotFound']);
  });
});
