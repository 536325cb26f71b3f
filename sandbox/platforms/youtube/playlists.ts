import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call, Sandbox } from '../../platform.ts';
import { randomName } from '../../store/apps.ts';
import { refuse } from './errors.ts';
import { readParts, resource } from './resources.ts';
import { authenticateChannel } from './sign-in/authenticate.ts';
import { managing } from './sign-in/scopes.ts';
import { objectIn, privacies } from './videos/metadata.ts';

export interface Playlist {
  readonly id: string;
  readonly accountId: string;
  readonly title: string;
  readonly description: string;
  readonly privacy: string;
  readonly createdAt: number;
  readonly items: readonly PlaylistItem[];
}

export interface PlaylistItem {
  readonly id: string;
  readonly videoId: string;
  readonly addedAt: number;
}

const parts = ['snippet', 'status', 'contentDetails'];
const maxTitle = 150;

export function createPlaylist(call: Call): HttpResponse {
  const account = authenticateChannel(call, managing);
  const asked = readParts(call, parts);
  const { title, description } = objectIn(call.body.fields, 'snippet');
  const name = asText(title).trim();
  if (name === '' || name.length > maxTitle) {
    refuse('playlistTitleRequired', { location: 'body.snippet.title' });
  }
  const privacy = asText(objectIn(call.body.fields, 'status').privacyStatus) || 'public';
  if (!privacies.includes(privacy)) refuse('invalidParameter', { location: 'body.status.privacyStatus' });
  const playlist = savePlaylist(call.sandbox, {
    id: `PL${randomName(24)}`,
    accountId: account.id,
    title: name,
    description: asText(description),
    privacy,
    createdAt: call.sandbox.now(),
    items: [],
  });
  return json(presentPlaylist(call.sandbox, playlist, asked));
}

export function savePlaylist({ store }: Sandbox, playlist: Playlist): Playlist {
  const data = JSON.parse(JSON.stringify(playlist)) as JsonObject;
  store.records.put('youtube', 'playlist', playlist.id, data, playlist.accountId);
  return playlist;
}

export function findPlaylist({ store }: Sandbox, id: string): Playlist | undefined {
  return read(store.records.find('youtube', 'playlist', id)?.data);
}

function presentPlaylist(sandbox: Sandbox, playlist: Playlist, asked: readonly string[]) {
  const { id, accountId, title, description, privacy, createdAt, items } = playlist;
  return resource('playlist', id, asked, {
    snippet: () => ({
      publishedAt: new Date(createdAt).toISOString(),
      channelId: accountId,
      title,
      description,
      channelTitle: sandbox.store.accounts.find('youtube', accountId)?.displayName ?? '',
      localized: { title, description },
    }),
    status: () => ({ privacyStatus: privacy }),
    contentDetails: () => ({ itemCount: items.length }),
  });
}

/** Only `savePlaylist` writes these records. */
function read(data: unknown): Playlist | undefined {
  return data as Playlist | undefined;
}
