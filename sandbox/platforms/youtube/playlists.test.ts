import { describe, expect, test } from 'vitest';
import { errorOf, startYouTube } from './testing.ts';

describe('YouTube playlists', () => {
  test('a playlist is created, and a video added to it', async () => {
    const youtube = await startYouTube();
    const ann = await youtube.channel('ann');
    const id = await ann.upload();
    const created = await ann.send('POST', '/playlists?part=snippet,status', {
      snippet: { title: 'Best of' },
      status: { privacyStatus: 'unlisted' },
    });
    const playlist = await created.json();
    expect(playlist).toMatchObject({ id: expect.stringMatching(/^PL/), snippet: { title: 'Best of' } });
    const added = await (await add(ann, playlist.id, id)).json();
    expect(added.snippet).toMatchObject({ playlistId: playlist.id, position: 0, resourceId: { videoId: id } });
    const items = async () =>
      (await (await ann.get(`/playlistItems?part=snippet&playlistId=${playlist.id}`)).json()).items;
    expect(await items()).toMatchObject([{ id: added.id, snippet: { title: 'Demo' } }]);
  });

  test('only the owner adds videos, and only existing ones', async () => {
    const youtube = await startYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload();
    const created = await ann.send('POST', '/playlists?part=snippet', { snippet: { title: 'Hers' } });
    const playlist = (await created.json()).id;
    expect(await errorOf(await add(ann, 'PLnone', id))).toEqual([404, 'playlistNotFound']);
    expect(await errorOf(await add(bob, playlist, id))).toEqual([403, 'playlistItemsNotAccessible']);
    expect(await errorOf(await add(ann, playlist, 'none'))).toEqual([404, 'videoNotFound']);
    const uploads = ann.account.id.replace('UC', 'UU');
    expect(await errorOf(await add(ann, uploads, id))).toEqual([400, 'playlistOperationUnsupported']);
  });
});

type Channel = Awaited<ReturnType<Awaited<ReturnType<typeof startYouTube>>['channel']>>;

function add(channel: Channel, playlistId: string, videoId: string) {
  const snippet = { playlistId, resourceId: { kind: 'youtube#video', videoId } };
  return channel.send('POST', '/playlistItems?part=snippet', { snippet });
}
