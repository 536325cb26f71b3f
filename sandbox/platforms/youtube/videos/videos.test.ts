import { describe, expect, test } from 'vitest';
import { errorOf, forceSslScope, startYouTube, uploadScope, videoBody } from '../testing.ts';

describe('YouTube videos', () => {
  test('the uploads playlist contains all videos, newest first', async () => {
    const youtube = await startYouTube({ processingMs: 0 });
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const ids = [await ann.upload(), await ann.upload({ status: { privacyStatus: 'private' } }), await ann.upload()];
    await youtube.fault({ kind: 'processing_failed', operation: 'upload' });
    await ann.upload({ snippet: { title: 'Broken' } });
    const uploads = ann.account.id.replace('UC', 'UU');
    const list = async (person: typeof ann, more = '') =>
      (await person.get(`/playlistItems?part=snippet,contentDetails,status&playlistId=${uploads}${more}`)).json();
    const idsIn = (found: { items: { contentDetails: { videoId: string } }[] }) =>
      found.items.map(({ contentDetails }) => contentDetails.videoId);
    const mine = await list(ann);
    expect(idsIn(mine)).toEqual(ids.toReversed());
    expect(mine.items[0]).toMatchObject({
      snippet: { title: 'Demo', description: 'Hello', resourceId: { videoId: ids[2] } },
      status: { privacyStatus: 'public' },
    });
    expect(idsIn(await list(bob))).toEqual([ids[2], ids[0]]);

    const first = await list(ann, '&maxResults=2');
    expect([idsIn(first), first.pageInfo.totalResults]).toEqual([[ids[2], ids[1]], 3]);
    const second = await list(ann, `&maxResults=2&pageToken=${first.nextPageToken}`);
    expect([idsIn(second), second.nextPageToken]).toEqual([[ids[0]], undefined]);
  });

  test('a video is read by id; a private one only by its owner', async () => {
    const youtube = await startYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload({ status: { privacyStatus: 'private' } });
    expect(await ann.video(id, 'status')).toMatchObject({ id, status: { privacyStatus: 'private' } });
    expect(await bob.video(id, 'status')).toBeUndefined();
    const open = await ann.upload();
    expect(await bob.video(open, 'snippet')).toMatchObject({ id: open });
    expect((await bob.get(`/videos?part=processingDetails&id=${open}`)).status).toBe(403);
    expect(await errorOf(await ann.get('/videos?part=snippet'))).toEqual([400, 'missingRequiredParameter']);
    expect(await errorOf(await ann.get(`/videos?part=colour&id=${id}`))).toEqual([400, 'unknownPart']);
    expect(await errorOf(await ann.get(`/videos?id=${id}`))).toEqual([400, 'required']);
  });

  test('a video can be liked by others and deleted by its owner', async () => {
    const youtube = await startYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload();
    expect((await bob.send('POST', `/videos/rate?id=${id}&rating=like`)).status).toBe(204);
    expect((await ann.video(id)).statistics.likeCount).toBe('1');
    expect((await ann.remove(`/videos?id=${id}`)).status).toBe(204);
    expect(await ann.video(id)).toBeUndefined();
    expect(await errorOf(await ann.remove(`/videos?id=${id}`))).toEqual([404, 'videoNotFound']);
    expect(await youtube.posts()).toEqual([]);
  });

  test('the upload scope allows neither reading nor deleting', async () => {
    const youtube = await startYouTube();
    const ann = await youtube.allowing('ann', uploadScope);
    const id = await ann.upload();
    expect(await errorOf(await ann.get(`/videos?part=status&id=${id}`))).toEqual([403, 'insufficientPermissions']);
    expect(await errorOf(await ann.remove(`/videos?id=${id}`))).toEqual([403, 'insufficientPermissions']);
    const more = await youtube.allowing('ann', forceSslScope);
    expect((await more.remove(`/videos?id=${id}`)).status).toBe(204);
  });

  test('videos and channels are at their real addresses', async () => {
    const youtube = await startYouTube();
    const ann = await youtube.channel('ann');
    const id = await ann.upload({ snippet: { title: 'Title & more', description: 'Look here' } });
    const { account } = ann;
    for (const address of [
      `/www.youtube.com/watch?v=${id}`,
      `/www.youtube.com/shorts/${id}`,
      `/www.youtube.com/channel/${account.id}`,
      account.profileUrl.replace('https:/', ''),
    ]) {
      const page = await youtube.at(address);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Look here')]);
    }
    expect(await (await youtube.at(`/www.youtube.com/watch?v=${id}`)).text()).toContain('<h1>Title &amp; more</h1>');
    const short = await youtube.at(`/youtu.be/${id}`);
    expect(short.headers.get('location')).toBe(`/www.youtube.com/watch?v=${id}`);
    expect((await youtube.at(account.avatarUrl.replace('https:/', ''))).status).toBe(200);
    expect((await youtube.at('/www.youtube.com/watch?v=none')).status).toBe(404);
  });

  test('analytics count by day or by video', async () => {
    const youtube = await startYouTube({ now: () => Date.parse('2026-11-15T12:00:00Z') });
    const ann = await youtube.channel('ann');
    const id = await ann.upload();
    await ann.send('POST', `/videos/rate?id=${id}&rating=like`);
    await ann.comment(id, 'First');
    const report = async (query: string) => {
      const path = `/youtubeanalytics.googleapis.com/v2/reports?ids=channel==MINE&metrics=views,likes,comments&${query}`;
      return (await youtube.at(path, { headers: ann.headers })).json();
    };
    const { columnHeaders, rows } = await report('startDate=2026-11-01&endDate=2026-11-30&dimensions=day');
    expect(columnHeaders.map(({ name }: { name: string }) => name)).toEqual(['day', 'views', 'likes', 'comments']);
    expect(rows).toEqual([['2026-11-15', 0, 1, 1]]);
    const filtered = `startDate=2026-11-01&endDate=2026-11-30&filters=video==${id}`;
    expect((await report(filtered)).rows).toEqual([[0, 1, 1]]);
    expect((await report('startDate=2026-12-01&endDate=2026-12-30')).rows).toEqual([]);
  });

  test('a suspended account is refused', async () => {
    const youtube = await startYouTube();
    const ann = await youtube.channel('ann');
    await youtube.sendJson('PATCH', '/_control/accounts', { network: 'youtube', handle: 'ann', suspended: true });
    expect(await errorOf(await ann.start(videoBody))).toEqual([403, 'authenticatedUserAccountSuspended']);
  });
});
