import { type Answer, json } from '../../answer.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { accounts, hasChannel, isVerified, uploadsPlaylist } from './accounts.ts';
import { refuse } from './errors.ts';
import { etagOf, readParts, resource } from './resources.ts';
import { identifying, reading } from './scopes.ts';
import { signIn } from './sign-in.ts';
import { privacyOf, videosOf } from './videos.ts';

const parts = ['snippet', 'contentDetails', 'statistics', 'status'];

export function listChannels(call: Call): Answer {
  const caller = signIn(call, reading);
  const asked = readParts(call, parts);
  const found = wanted(call, caller).filter(hasChannel);
  const items = found.map((channel) => presentChannel(call, channel, asked));
  const pageInfo = { totalResults: items.length, resultsPerPage: 5 };
  // Where there is no channel, there are no `items` at all.
  const shown = items.length > 0 ? { items } : {};
  return json({ kind: 'youtube#channelListResponse', etag: etagOf(items), pageInfo, ...shown });
}

/** Who a person is at Google, which knows nothing of channels. */
export function userInfo(idField: 'sub' | 'id') {
  return (call: Call): Answer => {
    const { id, displayName, avatarUrl } = signIn(call, identifying);
    return json({ [idField]: numberOf(id), name: displayName, picture: avatarUrl });
  };
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

/** Google's ids of people are long numbers. */
function numberOf(channelId: string): string {
  return BigInt(`0x${Buffer.from(channelId).toString('hex').slice(0, 16)}`).toString();
}
