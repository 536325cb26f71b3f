import type { Network, Route } from '../../network.ts';
import { accounts } from './accounts.ts';
import { reports } from './analytics.ts';
import { listCategories } from './categories.ts';
import { listChannels, userInfo } from './channels.ts';
import { createReply, createThread, deleteComment, listReplies, listThreads } from './comments.ts';
import { allow, authorize } from './consent.ts';
import { errors } from './errors.ts';
import {
  analyticsHost,
  answersFor,
  apiHosts,
  avatarHost,
  consentHost,
  imageHost,
  oauthHost,
  shortHost,
  siteHost,
} from './hosts.ts';
import { avatar, channelPage, handlePage, homePage, shortLink, shortsPage, watchPage } from './pages.ts';
import { addPlaylistItem, listPlaylistItems, removePlaylistItem } from './playlist-items.ts';
import { createPlaylist, deletePlaylist, listPlaylists } from './playlists.ts';
import { overQuota } from './quota.ts';
import { setThumbnail, showThumbnail } from './thumbnails.ts';
import { revoke, token, tokenInfo } from './token.ts';
import { operationOf, receiveBytes } from './upload-bytes.ts';
import { startUpload } from './upload-start.ts';
import { deleteVideo, rateVideo, updateVideo } from './video-change.ts';
import { listVideos, search, statusOrStats } from './video-read.ts';

const upload = '/upload/youtube/v3';
const root = '/youtube/v3';

const api: readonly Route[] = [
  { method: 'POST', path: `${upload}/videos`, operation: 'upload', handle: startUpload },
  { method: 'PUT', path: `${upload}/videos`, operation: operationOf, body: 'file', handle: receiveBytes },
  { method: 'POST', path: `${upload}/thumbnails/set`, operation: 'upload', body: 'file', handle: setThumbnail },

  { method: 'GET', path: `${root}/channels`, operation: 'account', handle: listChannels },
  { method: 'GET', path: `${root}/videos`, operation: statusOrStats, handle: listVideos },
  { method: 'PUT', path: `${root}/videos`, operation: 'other', handle: updateVideo },
  { method: 'DELETE', path: `${root}/videos`, operation: 'other', handle: deleteVideo },
  { method: 'POST', path: `${root}/videos/rate`, operation: 'other', handle: rateVideo },
  { method: 'GET', path: `${root}/search`, operation: 'other', handle: search },
  { method: 'GET', path: `${root}/videoCategories`, operation: 'other', handle: listCategories },
  { method: 'GET', path: `${root}/playlists`, operation: 'other', handle: listPlaylists },
  { method: 'POST', path: `${root}/playlists`, operation: 'other', handle: createPlaylist },
  { method: 'DELETE', path: `${root}/playlists`, operation: 'other', handle: deletePlaylist },
  { method: 'GET', path: `${root}/playlistItems`, operation: 'other', handle: listPlaylistItems },
  { method: 'POST', path: `${root}/playlistItems`, operation: 'other', handle: addPlaylistItem },
  { method: 'DELETE', path: `${root}/playlistItems`, operation: 'other', handle: removePlaylistItem },
  { method: 'GET', path: `${root}/commentThreads`, operation: 'other', handle: listThreads },
  { method: 'POST', path: `${root}/commentThreads`, operation: 'comment', handle: createThread },
  { method: 'GET', path: `${root}/comments`, operation: 'other', handle: listReplies },
  { method: 'POST', path: `${root}/comments`, operation: 'comment', handle: createReply },
  { method: 'DELETE', path: `${root}/comments`, operation: 'other', handle: deleteComment },

  { method: 'GET', path: '/oauth2/v3/userinfo', operation: 'account', handle: userInfo('sub') },
  { method: 'GET', path: '/oauth2/v2/userinfo', operation: 'account', handle: userInfo('id') },
];

const oauth: readonly Route[] = [
  { method: 'POST', path: '/token', operation: 'token', handle: token },
  { method: 'POST', path: '/revoke', operation: 'other', handle: revoke },
  { method: 'GET', path: '/tokeninfo', operation: 'account', handle: tokenInfo },
  { method: 'POST', path: '/tokeninfo', operation: 'account', handle: tokenInfo },
];

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
export const youtube: Network = {
  id: 'youtube',
  name: 'YouTube',
  answersFor,
  errors,
  accounts,
  maxBodyBytes: 1024 * 1024,
  before: overQuota,
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
