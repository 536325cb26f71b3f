import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { accounts, hasChannel, isVerified, uploadsPlaylist } from './accounts.ts';
import { refuse } from './errors.ts';
import { etagOf, readParts, resource } from './resources.ts';
import { authenticate } from './sign-in/authenticate.ts';
import { reading } from './sign-in/scopes.ts';
import { privacyOf, videosOf } from './videos/videos.ts';

const parts = ['snippet', 'contentDetails', 'statistics', 'status'];

export function listChannels(call: Call): HttpResponse {
  const caller = authenticate(call, reading);
  const asked = readParts(call, parts);
  const found = wanted(call, caller).filter(hasChannel);
  const items = found.map((channel) => presentChannel(call, channel, asked));
  const pageInfo = { totalResults: items.length, resultsPerPage: 5 };
  // Without a channel, the response has no `items`.
  const shown = items.length > 0 ? { items } : {};
  return json({ kind: 'youtube#channelListResponse', etag: etagOf(items), pageInfo, ...shown });
}

function wanted(call: Call, caller: Account): Account[] {
  const { query, sandbox } = call;
  const store = sandbox.store.accounts;
  if (query.get('mine') === 'true') return [caller];
  const ids = (query.get('id') ?? '').split(',').filter(Boolean);
  if (ids.length > 0) return ids.flatMap((id) => store.find('youtube', id) ?? []);
  const handle = accounts.normalize(query.get('forHandle') ?? '');
  if (handle !== null) return [store.findByHandle('youtube', handle)].filter((one) => one !== undefined);
  const message = 'No filter selected. Expected one of: id, mine, forHandle';
  refuse('missingRequiredParameter', { message, location: 'parameters.' });
}

function presentChannel(call: Call, channel: Account, asked: readonly string[]) {
  const { id, handle, displayName, avatarUrl, createdAt } = channel;
  return resource('channel', id, asked, {
    snippet: () => ({
      title: displayName,
      description: '',
      customUrl: `@${handle}`,
      publishedAt: new Date(createdAt).toISOString(),
      thumbnails: {
        default: { url: avatarUrl, width: 88, height: 88 },
        medium: { url: avatarUrl, width: 240, height: 240 },
        high: { url: avatarUrl, width: 800, height: 800 },
      },
      localized: { title: displayName, description: '' },
    }),
    contentDetails: () => ({ relatedPlaylists: { likes: 'LL', uploads: uploadsPlaylist(id) } }),
    statistics: () => ({
      viewCount: '0',
      subscriberCount: '0',
      hiddenSubscriberCount: false,
      videoCount: String(
        videosOf(call.sandbox, id).filter((video) => privacyOf(call.sandbox, video) === 'public').length,
      ),
    }),
    status: () => ({
      privacyStatus: 'public',
      isLinked: true,
      longUploadsStatus: isVerified(channel) ? 'allowed' : 'eligible',
      madeForKids: false,
    }),
  });
}
