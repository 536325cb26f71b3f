import { type Answer, empty, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { randomName } from '../../store/apps.ts';
import { uploadsPlaylist } from './accounts.ts';
import { refuse } from './errors.ts';
import { objectIn } from './metadata.ts';
import { findPlaylist, keepPlaylist, type PlaylistItem, playlistsOf } from './playlists.ts';
import { listAnswer, readParts, resource } from './resources.ts';
import { managing, reading } from './scopes.ts';
import { signIn, signInChannel } from './sign-in.ts';
import { presentSnippet } from './video-present.ts';
import { findVideo, isVisibleTo, privacyOf, videosOf } from './videos.ts';

const parts = ['snippet', 'contentDetails', 'status'];
const maxItems = 5000;

interface Listed {
  readonly playlistId: string;
  readonly item: PlaylistItem;
  readonly position: number;
}

/** Also of the uploads of a channel, where its owner finds a video whose id was never told. */
export function listPlaylistItems(call: Call): Answer {
  const caller = signIn(call, reading);
  const asked = readParts(call, parts);
  const playlistId = call.query.get('playlistId') ?? '';
  if (playlistId === '') {
    const message = 'No filter selected. Expected one of: id, playlistId';
    refuse('missingRequiredParameter', { message, location: 'parameters.' });
  }
  const videoId = call.query.get('videoId');
  const listed = itemsOf(call, caller, playlistId)
    .map((item, position) => ({ playlistId, item, position }))
    .filter(({ item }) => videoId === null || item.videoId === videoId);
  return listAnswer(call, 'playlistItemListResponse', listed, (one) => presentItem(call, one, asked));
}

export function addPlaylistItem(call: Call): Answer {
  const account = signInChannel(call, managing);
  const asked = readParts(call, parts);
  const snippet = objectIn(call.body.fields, 'snippet');
  const playlistId = asText(snippet.playlistId);
  if (playlistId === uploadsPlaylist(account.id)) refuse('playlistOperationUnsupported');
  const playlist = findPlaylist(call.sandbox, playlistId);
  if (!playlist) refuse('playlistNotFound', { location: 'body.snippet.playlistId' });
  if (playlist.accountId !== account.id) refuse('playlistItemsNotAccessible');
  if (playlist.items.length >= maxItems) refuse('playlistContainsMaximumNumberOfVideos');
  const video = findVideo(call.sandbox, asText(objectIn(snippet, 'resourceId').videoId));
  if (!video || !isVisibleTo(call.sandbox, video, account)) {
    refuse('videoNotFound', { location: 'body.snippet.resourceId.videoId' });
  }
  const item = { id: `UEx${randomName(27)}`, videoId: video.id, addedAt: call.sandbox.now() };
  const position = typeof snippet.position === 'number' ? snippet.position : playlist.items.length;
  keepPlaylist(call.sandbox, { ...playlist, items: playlist.items.toSpliced(position, 0, item) });
  return json(presentItem(call, { playlistId, item, position }, asked));
}

export function removePlaylistItem(call: Call): Answer {
  const account = signInChannel(call, managing);
  const id = call.query.get('id') ?? '';
  const playlist = playlistsOf(call.sandbox, account.id).find(({ items }) => items.some((item) => item.id === id));
  if (!playlist) refuse('playlistItemNotFound', { location: 'id' });
  keepPlaylist(call.sandbox, { ...playlist, items: playlist.items.filter((item) => item.id !== id) });
  return empty(204);
}

function itemsOf(call: Call, caller: Account, playlistId: string): readonly PlaylistItem[] {
  const channelId = playlistId.replace(/^UU/, 'UC');
  if (playlistId.startsWith('UU') && call.sandbox.store.accounts.find('youtube', channelId)) {
    return videosOf(call.sandbox, channelId)
      .filter((video) => channelId === caller.id || privacyOf(call.sandbox, video) === 'public')
      .map(({ id, uploadedAt }) => ({ id: `VVU${id}`, videoId: id, addedAt: uploadedAt }));
  }
  const playlist = findPlaylist(call.sandbox, playlistId);
  if (!playlist) refuse('playlistNotFound', { location: 'playlistId' });
  if (playlist.privacy === 'private' && playlist.accountId !== caller.id) refuse('playlistItemsNotAccessible');
  return playlist.items;
}

/** A video that is gone leaves its place behind. */
function presentItem(call: Call, { playlistId, item, position }: Listed, asked: readonly string[]) {
  const video = findVideo(call.sandbox, item.videoId);
  const { sandbox } = call;
  return resource('playlistItem', item.id, asked, {
    snippet: () => {
      const {
        title = 'Deleted video',
        description = 'This video is unavailable.',
        ...known
      } = video ? presentSnippet(sandbox, video) : {};
      const { channelId, channelTitle, thumbnails } = { channelId: '', channelTitle: '', thumbnails: {}, ...known };
      return {
        publishedAt: new Date(item.addedAt).toISOString(),
        channelId,
        title,
        description,
        thumbnails,
        channelTitle,
        playlistId,
        position,
        resourceId: { kind: 'youtube#video', videoId: item.videoId },
        videoOwnerChannelTitle: channelTitle,
        videoOwnerChannelId: channelId,
      };
    },
    contentDetails: () => ({
      videoId: item.videoId,
      ...(video && { videoPublishedAt: new Date(video.uploadedAt).toISOString() }),
    }),
    status: () => ({ privacyStatus: video ? privacyOf(sandbox, video) : 'privacyStatusUnspecified' }),
  });
}
