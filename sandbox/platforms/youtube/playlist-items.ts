import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { randomName } from '../../store/apps.ts';
import { uploadsPlaylist } from './accounts.ts';
import { refuse } from './errors.ts';
import { findPlaylist, type PlaylistItem, savePlaylist } from './playlists.ts';
import { listResponse, readParts, resource } from './resources.ts';
import { authenticate, authenticateChannel } from './sign-in/authenticate.ts';
import { managing, reading } from './sign-in/scopes.ts';
import { objectIn } from './videos/metadata.ts';
import { presentSnippet } from './videos/present.ts';
import { findVideo, isVisibleTo, privacyOf, videosOf } from './videos/videos.ts';

const parts = ['snippet', 'contentDetails', 'status'];
const maxItems = 5000;

interface Listed {
  readonly playlistId: string;
  readonly item: PlaylistItem;
  readonly position: number;
}

/** Also lists the uploads of a channel, where its owner finds a video after a lost response. */
export function listPlaylistItems(call: Call): HttpResponse {
  const caller = authenticate(call, reading);
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
  return listResponse(call, 'playlistItemListResponse', listed, (one) => presentItem(call, one, asked));
}

export function addPlaylistItem(call: Call): HttpResponse {
  const account = authenticateChannel(call, managing);
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
  savePlaylist(call.sandbox, { ...playlist, items: playlist.items.toSpliced(position, 0, item) });
  return json(presentItem(call, { playlistId, item, position }, asked));
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

/** A deleted video keeps its place in the playlist. */
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
