import { describe, expect, test } from 'vitest';
import { aPng } from '../../testing.ts';
import { aVideo, aYouTube, forceSslScope, reasonOf, uploadScope } from './testing.ts';

describe('YouTube videos', () => {
  test('the uploads playlist holds them all, the newest first', async () => {
    const youtube = await aYouTube({ processingMs: 0 });
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
    expect((await (await ann.get('/search?part=snippet&forMine=true&type=video&q=demo')).json()).items).toHaveLength(3);
  });

  test('a video is asked for by id; a private one is its owner’s alone', async () => {
    const youtube = await aYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload({ status: { privacyStatus: 'private' } });
    expect(await ann.video(id, 'status')).toMatchObject({ id, status: { privacyStatus: 'private' } });
    expect(await bob.video(id, 'status')).toBeUndefined();
    const open = await ann.upload();
    expect(await bob.video(open, 'snippet')).toMatchObject({ id: open });
    expect((await bob.get(`/videos?part=processingDetails&id=${open}`)).status).toBe(403);
    expect(await reasonOf(await ann.get('/videos?part=snippet'))).toEqual([400, 'missingRequiredParameter']);
    expect(await reasonOf(await ann.get(`/videos?part=colour&id=${id}`))).toEqual([400, 'unknownPart']);
    expect(await reasonOf(await ann.get(`/videos?id=${id}`))).toEqual([400, 'required']);
  });

  test('a video is changed part by part, liked and deleted', async () => {
    const youtube = await aYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload();
    const snippet = { title: 'New', description: 'New words', categoryId: '28' };
    expect(await reasonOf(await bob.send('PUT', '/videos?part=snippet', { id, snippet }))).toEqual([403, 'forbidden']);
    const changed = await ann.send('PUT', '/videos?part=snippet', { id, snippet });
    expect((await changed.json()).snippet).toMatchObject(snippet);
    expect((await youtube.posts())[0].text).toBe('New words');
    expect((await ann.video(id)).snippet.tags).toBeUndefined();

    expect((await bob.send('POST', `/videos/rate?id=${id}&rating=like`)).status).toBe(204);
    expect((await ann.video(id)).statistics.likeCount).toBe('1');
    expect((await ann.remove(`/videos?id=${id}`)).status).toBe(204);
    expect(await ann.video(id)).toBeUndefined();
    expect(await reasonOf(await ann.remove(`/videos?id=${id}`))).toEqual([404, 'videoNotFound']);
    expect(await youtube.posts()).toEqual([]);
  });

  test('who may only upload can neither read nor delete', async () => {
    const youtube = await aYouTube();
    const ann = await youtube.allowing('ann', uploadScope);
    const id = await ann.upload();
    expect(await reasonOf(await ann.get(`/videos?part=status&id=${id}`))).toEqual([403, 'insufficientPermissions']);
    expect(await reasonOf(await ann.remove(`/videos?id=${id}`))).toEqual([403, 'insufficientPermissions']);
    const more = await youtube.allowing('ann', forceSslScope);
    expect((await more.remove(`/videos?id=${id}`)).status).toBe(204);
  });

  test('people see videos and channels at their real addresses', async () => {
    const youtube = await aYouTube();
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
    const youtube = await aYouTube({ now: () => Date.parse('2026-11-15T12:00:00Z') });
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
});

describe('YouTube thumbnails', () => {
  test('a picture is set, and served at the addresses that are told', async () => {
    const youtube = await aYouTube();
    const ann = await youtube.channel('ann');
    const id = await ann.upload();
    const picture = aWidePng(1280);
    const answer = await ann.setThumbnail(id, picture);
    const { kind, items } = await answer.json();
    expect([answer.status, kind]).toEqual([200, 'youtube#thumbnailSetResponse']);
    const served = await youtube.at(items[0].maxres.url.replace('https:/', ''));
    expect(Buffer.from(await served.arrayBuffer()).equals(picture)).toBe(true);
  });

  test.each([
    ['unverified-ann', aWidePng(1280), [403, 'forbidden']],
    ['ann', Buffer.from('no picture'), [400, 'invalidImage']],
    ['ann', aWidePng(639), [400, 'invalidImage']],
    ['ann', Buffer.alloc(0), [400, 'mediaBodyRequired']],
    ['ann', Buffer.concat([aPng, Buffer.alloc(50 * 1024 * 1024)]), [413, 'uploadTooLarge']],
  ])('%s is refused some', async (handle, picture, expected) => {
    const channel = await (await aYouTube()).channel(handle);
    expect(await reasonOf(await channel.setThumbnail(await channel.upload(), picture))).toEqual(expected);
  });

  test('only the owner of a video that is there may set it', async () => {
    const youtube = await aYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload();
    expect(await reasonOf(await bob.setThumbnail(id, aWidePng(1280)))).toEqual([403, 'forbidden']);
    expect(await reasonOf(await ann.setThumbnail('none', aWidePng(1280)))).toEqual([404, 'videoNotFound']);
  });
});

describe('YouTube playlists', () => {
  test('are made, listed, filled and emptied', async () => {
    const youtube = await aYouTube();
    const ann = await youtube.channel('ann');
    const id = await ann.upload();
    const made = await ann.send('POST', '/playlists?part=snippet,status', {
      snippet: { title: 'Best of' },
      status: { privacyStatus: 'unlisted' },
    });
    const playlist = await made.json();
    expect(playlist).toMatchObject({ id: expect.stringMatching(/^PL/), snippet: { title: 'Best of' } });
    const mine = await (await ann.get('/playlists?part=snippet,contentDetails&mine=true')).json();
    expect(mine.items).toMatchObject([{ id: playlist.id, contentDetails: { itemCount: 0 } }]);
    const added = await (await add(ann, playlist.id, id)).json();
    expect(added.snippet).toMatchObject({ playlistId: playlist.id, position: 0, resourceId: { videoId: id } });
    const items = async () =>
      (await (await ann.get(`/playlistItems?part=snippet&playlistId=${playlist.id}`)).json()).items;
    expect(await items()).toMatchObject([{ id: added.id, snippet: { title: 'Demo' } }]);
    expect((await ann.remove(`/playlistItems?id=${added.id}`)).status).toBe(204);
    expect(await items()).toEqual([]);
    expect((await ann.remove(`/playlists?id=${playlist.id}`)).status).toBe(204);
    const gone = await ann.get(`/playlistItems?part=snippet&playlistId=${playlist.id}`);
    expect(await reasonOf(gone)).toEqual([404, 'playlistNotFound']);
  });

  test('take only what is there, from their owner', async () => {
    const youtube = await aYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload();
    const made = await ann.send('POST', '/playlists?part=snippet', { snippet: { title: 'Hers' } });
    const playlist = (await made.json()).id;
    expect(await reasonOf(await add(ann, 'PLnone', id))).toEqual([404, 'playlistNotFound']);
    expect(await reasonOf(await add(bob, playlist, id))).toEqual([403, 'playlistItemsNotAccessible']);
    expect(await reasonOf(await add(ann, playlist, 'none'))).toEqual([404, 'videoNotFound']);
    const uploads = ann.account.id.replace('UC', 'UU');
    expect(await reasonOf(await add(ann, uploads, id))).toEqual([400, 'playlistOperationUnsupported']);
  });
});

describe('YouTube comments', () => {
  test('stand under the video, with replies, and can be taken away', async () => {
    const youtube = await aYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload();
    const thread = await (await bob.comment(id, 'First <3\n& more')).json();
    expect(thread.snippet).toMatchObject({
      videoId: id,
      topLevelComment: { snippet: { textOriginal: 'First <3\n& more', textDisplay: 'First &lt;3<br>&amp; more' } },
    });
    const body = { snippet: { parentId: thread.id, textOriginal: 'Thanks' } };
    const reply = await (await ann.send('POST', '/comments?part=snippet', body)).json();
    expect(await youtube.posts()).toMatchObject([
      { id },
      { id: thread.id, text: 'First <3\n& more', inReplyTo: id },
      { id: reply.id, text: 'Thanks', inReplyTo: thread.id },
    ]);
    const { items } = await (await ann.get(`/commentThreads?part=snippet,replies&videoId=${id}`)).json();
    expect(items).toMatchObject([{ id: thread.id, replies: { comments: [{ id: reply.id }] } }]);
    const replies = await (await ann.get(`/comments?part=snippet&parentId=${thread.id}`)).json();
    expect(replies.items).toMatchObject([{ id: reply.id, snippet: { parentId: thread.id } }]);
    expect((await ann.remove(`/comments?id=${thread.id}`)).status).toBe(204);
    expect(await youtube.posts()).toHaveLength(1);
  });

  test('a comment has 1 to 10,000 characters', async () => {
    const ann = await (await aYouTube()).channel('ann');
    const id = await ann.upload();
    expect((await ann.comment(id, '🎉'.repeat(10_000))).status).toBe(200);
    expect(await reasonOf(await ann.comment(id, 'a'.repeat(10_001)))).toEqual([400, 'commentTextTooLong']);
    expect(await reasonOf(await ann.comment(id, ' '))).toEqual([400, 'commentTextRequired']);
  });

  test('there are none under what is private, made for children, or not there', async () => {
    const ann = await (await aYouTube()).channel('ann');
    const hidden = await ann.upload({ status: { privacyStatus: 'private' } });
    const forKids = await ann.upload({ status: { selfDeclaredMadeForKids: true } });
    expect(await reasonOf(await ann.comment(hidden, 'Hi'))).toEqual([403, 'commentsDisabled']);
    expect(await reasonOf(await ann.comment(forKids, 'Hi'))).toEqual([403, 'commentsDisabled']);
    expect((await ann.video(forKids)).statistics.commentCount).toBeUndefined();
    expect(await reasonOf(await ann.comment('none', 'Hi'))).toEqual([404, 'videoNotFound']);
  });

  test('a suspended account may do nothing', async () => {
    const youtube = await aYouTube();
    const ann = await youtube.channel('ann');
    await youtube.sendJson('PATCH', '/_control/accounts', { network: 'youtube', handle: 'ann', suspended: true });
    expect(await reasonOf(await ann.start(aVideo))).toEqual([403, 'authenticatedUserAccountSuspended']);
  });
});

type Channel = Awaited<ReturnType<Awaited<ReturnType<typeof aYouTube>>['channel']>>;

function add(channel: Channel, playlistId: string, videoId: string) {
  const snippet = { playlistId, resourceId: { kind: 'youtube#video', videoId } };
  return channel.send('POST', '/playlistItems?part=snippet', { snippet });
}

function aWidePng(width: number): Buffer {
  const bytes = Buffer.from(aPng);
  bytes.writeUInt32BE(width, 16);
  return bytes;
}
