import type { Network, Route } from '../../network.ts';
import { accounts } from './accounts.ts';
import { allow, authorize } from './consent.ts';
import { creatorInfo } from './creator.ts';
import { errors } from './errors.ts';
import { answersFor, apiHost, imageHost, siteHost, uploadHost } from './hosts.ts';
import { avatar, cover, homePage, profilePage, showPost } from './pages.ts';
import { initPhotos } from './photo-init.ts';
import { overBudget } from './rate-limits.ts';
import { cancel, fetchStatus } from './status.ts';
import { revoke, token } from './token.ts';
import { receiveChunk } from './upload.ts';
import { userInfo } from './user-info.ts';
import { initInboxVideo, initVideo } from './video-init.ts';
import { listVideos, queryVideos } from './videos.ts';

/** Every path of the API ends with a slash. */
const api: readonly Route[] = [
  { method: 'POST', path: '/v2/oauth/token/', operation: 'token', handle: token },
  { method: 'POST', path: '/v2/oauth/revoke/', operation: 'other', handle: revoke },
  { method: 'GET', path: '/v2/user/info/', operation: 'account', handle: userInfo },
  { method: 'POST', path: '/v2/post/publish/creator_info/query/', operation: 'other', handle: creatorInfo },
  { method: 'POST', path: '/v2/post/publish/video/init/', operation: 'publish', handle: initVideo },
  { method: 'POST', path: '/v2/post/publish/inbox/video/init/', operation: 'other', handle: initInboxVideo },
  { method: 'POST', path: '/v2/post/publish/content/init/', operation: 'publish', handle: initPhotos },
  { method: 'POST', path: '/v2/post/publish/status/fetch/', operation: 'status', handle: fetchStatus },
  { method: 'POST', path: '/v2/post/publish/cancel/', operation: 'other', handle: cancel },
  { method: 'POST', path: '/v2/video/list/', operation: 'stats', handle: listVideos },
  { method: 'POST', path: '/v2/video/query/', operation: 'stats', handle: queryVideos },
];

const uploads: readonly Route[] = [
  { method: 'PUT', path: '/video/', operation: 'upload', body: 'file', handle: receiveChunk },
];

const website: readonly Route[] = [
  { method: 'GET', path: '/v2/auth/authorize/', operation: 'page', handle: authorize },
  { method: 'POST', path: '/v2/auth/authorize/', operation: 'page', handle: allow },
  { method: 'GET', path: '/', operation: 'page', handle: homePage },
  { method: 'GET', path: '/@:handle', operation: 'page', handle: profilePage },
  { method: 'GET', path: '/@:handle/video/:id', operation: 'page', handle: showPost },
  { method: 'GET', path: '/@:handle/photo/:id', operation: 'page', handle: showPost },
];

const images: readonly Route[] = [
  { method: 'GET', path: '/avatar/:id.jpeg', operation: 'page', handle: avatar },
  { method: 'GET', path: '/cover/:id.jpeg', operation: 'page', handle: cover },
];

/** TikTok of autumn 2026: Login Kit, Content Posting and Display API. */
export const tiktok: Network = {
  id: 'tiktok',
  name: 'TikTok',
  answersFor,
  errors,
  accounts,
  maxBodyBytes: 1024 * 1024,
  before: overBudget,
  routes: [...at(apiHost, api), ...at(uploadHost, uploads), ...at(siteHost, website), ...at(imageHost, images)],
};

function at(host: string, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    handle: (call) => (call.host === host ? route.handle(call) : errors.status(404, call)),
  }));
}
