import { type Answer, empty, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Sandbox } from '../../sandbox.ts';
import { randomName } from '../../store/apps.ts';
import { refuse } from './errors.ts';
import { objectIn, privacies } from './metadata.ts';
import { listAnswer, readParts, resource } from './resources.ts';
import { managing, reading } from './scopes.ts';
import { signIn, signInChannel } from './sign-in.ts';

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

export function listPlaylists(call: Call): Answer {
  const caller = signIn(call, reading);
  const asked = readParts(call, parts);
  return listAnswer(call, 'playlistListResponse', wanted(call, caller.id), (playlist) =>
    presentPlaylist(call.sandbox, playlist, asked),
  );
}

export function createPlaylist(call: Call): Answer {
  const account = signInChannel(call, managing);
  const asked = readParts(call, parts);
  const { title, description } = objectIn(call.body.fields, 'snippet');
  const name = asText(title).trim();
  if (name === '' || name.length > maxTitle) {
    refuse('playlistTitleRequired', { location: 'body.snippet.title' });
  }
  const privacy = asText(objectIn(call.body.fields, 'status').privacyStatus) || 'public';
  if (!privacies.includes(privacy)) refuse('invalidParameter', { location: 'body.status.privacyStatus' });
  const playlist = keepPlaylist(call.sandbox, {
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

export function deletePlaylist(call: Call): Answer {
  const account = signInChannel(call, managing);
  const playlist = findPlaylist(call.sandbox, call.query.get('id') ?? '');
  if (!playlist) refuse('playlistNotFound', { location: 'id' });
  if (playlist.accountId !== account.id) refuse('playlistForbidden', { location: 'id' });
  call.sandbox.store.records.remove('youtube', 'playlist', playlist.id);
  return empty(204);
}

export function keepPlaylist({ store }: Sandbox, playlist: Playlist): Playlist {
  const data = JSON.parse(JSON.stringify(playlist)) as JsonObject;
  store.records.put('youtube', 'playlist', playlist.id, data, playlist.accountId);
  return playlist;
}

export function findPlaylist({ store }: Sandbox, id: string): Playlist | undefined {
  return read(store.records.find('youtube', 'playlist', id)?.data);
}

export function playlistsOf({ store }: Sandbox, accountId: string): Playlist[] {
  return store.records.list('youtube', 'playlist', accountId).flatMap(({ data }) => read(data) ?? []);
}

function wanted(call: Call, callerId: string): Playlist[] {
  const { query, sandbox } = call;
  if (query.get('mine') === 'true') return playlistsOf(sandbox, callerId);
  const isVisible = ({ privacy, accountId }: Playlist) => privacy !== 'private' || accountId === callerId;
  const channelId = query.get('channelId');
  if (channelId !== null) return playlistsOf(sandbox, channelId).filter(isVisible);
  const ids = (query.get('id') ?? '').split(',').filter(Boolean);
  if (ids.length > 0) return ids.flatMap((id) => findPlaylist(sandbox, id) ?? []).filter(isVisible);
  const message = 'No filter selected. Expected one of: mine, id, channelId';
  refuse('missingRequiredParameter', { message, location: 'parameters.' });
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

/** Only `keepPlaylist` writes these. */
function read(data: unknown): Playlist | undefined {
  return data as Playlist | undefined;
}
