import type { Route, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { reports } from './analytics.ts';
import { listChannels } from './channels.ts';
import { createThread } from './comments.ts';
import { errors } from './errors.ts';
import {
  analyticsHost,
  apiHosts,
  avatarHost,
  consentHost,
  imageHost,
  oauthHost,
  servesHost,
  shortHost,
  siteHost,
} from './hosts.ts';
import { avatar, channelPage, handlePage, homePage, shortLink, shortsPage, watchPage } from './pages.ts';
import { addPlaylistItem, listPlaylistItems } from './playlist-items.ts';
import { createPlaylist } from './playlists.ts';
import { checkQuota } from './quota.ts';
import { rateVideo } from './reactions.ts';
import { allow, authorize } from './sign-in/consent.ts';
import { token } from './sign-in/token-endpoint.ts';
import { operationOf, receiveBytes } from './upload/bytes.ts';
import { startUpload } from './upload/start.ts';
import { deleteVideo } from './videos/delete.ts';
import { listVideos, statusOrStats } from './videos/read.ts';
import { setThumbnail, showThumbnail } from './videos/thumbnails.ts';

const upload = '/upload/youtube/v3';
const root = '/youtube/v3';

const api: readonly Route[] = [
  { method: 'POST', path: `${upload}/videos`, operation: 'upload', handle: startUpload },
  { method: 'PUT', path: `${upload}/videos`, operation: operationOf, body: 'file', handle: receiveBytes },
  { method: 'POST', path: `${upload}/thumbnails/set`, operation: 'upload', body: 'file', handle: setThumbnail },

  { method: 'GET', path: `${root}/channels`, operation: 'account', handle: listChannels },
  { method: 'GET', path: `${root}/videos`, operation: statusOrStats, handle: listVideos },
  { method: 'DELETE', path: `${root}/videos`, operation: 'other', handle: deleteVideo },
  { method: 'POST', path: `${root}/videos/rate`, operation: 'other', handle: rateVideo },
  { method: 'POST', path: `${root}/playlists`, operation: 'other', handle: createPlaylist },
  { method: 'GET', path: `${root}/playlistItems`, operation: 'other', handle: listPlaylistItems },
  { method: 'POST', path: `${root}/playlistItems`, operation: 'other', handle: addPlaylistItem },
  { method: 'POST', path: `${root}/commentThreads`, operation: 'comment', handle: createThread },
];

const oauth: readonly Route[] = [{ method: 'POST', path: '/token', operation: 'token', handle: token }];

const consent: readonly Route[] = [
  { method: 'GET', path: '/o/oauth2/v2/auth', operation: 'page', handle: authorize },
  { method: 'POST', path: '/o/oauth2/v2/auth', operation: 'page', handle: allow },
];

const website: readonly Route[] = [
  { method: 'GET', path: '/', operation: 'page', handle: homePage },
  { method: 'GET', path: '/watch', operation: 'page', handle: watchPage },
  { method: 'GET', path: '/shorts/:id', operation: 'page', handle: shortsPage },
  { method: 'GET', path: '/channel/:id', operation: 'page', handle: channelPage },
  { method: 'GET', path: '/@:handle', operation: 'page', handle: handlePage },
];

const analytics: readonly Route[] = [{ method: 'GET', path: '/v2/reports', operation: 'stats', handle: reports }];
const thumbnails: readonly Route[] = [
  { method: 'GET', path: '/vi/:id/:name', operation: 'page', handle: showThumbnail },
];
const avatars: readonly Route[] = [{ method: 'GET', path: '/ytc/:name', operation: 'page', handle: avatar }];
const shortLinks: readonly Route[] = [{ method: 'GET', path: '/:id', operation: 'page', handle: shortLink }];

/** YouTube's Data API v3 with Google's OAuth, as of autumn 2026. */
export const youtube: SandboxPlatform = {
  id: 'youtube',
  name: 'YouTube',
  servesHost,
  errors,
  accounts,
  secretNames: ['upload_id'],
  maxBodyBytes: 1024 * 1024,
  before: checkQuota,
  routes: [
    ...at(apiHosts, api),
    ...at([oauthHost], oauth),
    ...at([consentHost], consent),
    ...at([siteHost], website),
    ...at([analyticsHost], analytics),
    ...at([imageHost], thumbnails),
    ...at([avatarHost], avatars),
    ...at([shortHost], shortLinks),
  ],
};

function at(hosts: readonly string[], routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    handle: (call) => (hosts.includes(call.host) ? route.handle(call) : errors.status(404, call)),
  }));
}
