import type { Route, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { creatorInfo } from './creator-info.ts';
import { errors } from './errors.ts';
import { apiHost, imageHost, servesHost, siteHost, uploadHost } from './hosts.ts';
import { avatar, homePage, postPageOf, profilePage } from './pages.ts';
import { initPhotos } from './publishing/photo-init.ts';
import { fetchStatus } from './publishing/publish-status.ts';
import { receiveChunk } from './publishing/upload.ts';
import { initVideo } from './publishing/video-init.ts';
import { checkRateLimit } from './rate-limits.ts';
import { allow, authorize } from './sign-in/consent.ts';
import { token } from './sign-in/token-endpoint.ts';
import { userInfo } from './user-info.ts';

/** Every path of the API ends with a slash. */
const api: readonly Route[] = [
  { method: 'POST', path: '/v2/oauth/token/', operation: 'token', handle: token },
  { method: 'GET', path: '/v2/user/info/', operation: 'account', handle: userInfo },
  { method: 'POST', path: '/v2/post/publish/creator_info/query/', operation: 'other', handle: creatorInfo },
  { method: 'POST', path: '/v2/post/publish/video/init/', operation: 'publish', handle: initVideo },
  { method: 'POST', path: '/v2/post/publish/content/init/', operation: 'publish', handle: initPhotos },
  { method: 'POST', path: '/v2/post/publish/status/fetch/', operation: 'status', handle: fetchStatus },
];

const uploads: readonly Route[] = [
  { method: 'PUT', path: '/video/', operation: 'upload', body: 'file', handle: receiveChunk },
];

const website: readonly Route[] = [
  { method: 'GET', path: '/v2/auth/authorize/', operation: 'page', handle: authorize },
  { method: 'POST', path: '/v2/auth/authorize/', operation: 'page', handle: allow },
  { method: 'GET', path: '/', operation: 'page', handle: homePage },
  { method: 'GET', path: '/@:handle', operation: 'page', handle: profilePage },
  { method: 'GET', path: '/@:handle/video/:id', operation: 'page', handle: postPageOf },
  { method: 'GET', path: '/@:handle/photo/:id', operation: 'page', handle: postPageOf },
];

const images: readonly Route[] = [{ method: 'GET', path: '/avatar/:id.jpeg', operation: 'page', handle: avatar }];

/** TikTok of autumn 2026: Login Kit and Content Posting API. */
export const tiktok: SandboxPlatform = {
  id: 'tiktok',
  name: 'TikTok',
  servesHost,
  errors,
  accounts,
  secretNames: ['upload_id', 'upload_token'],
  maxBodyBytes: 1024 * 1024,
  before: checkRateLimit,
  routes: [...at(apiHost, api), ...at(uploadHost, uploads), ...at(siteHost, website), ...at(imageHost, images)],
};

function at(host: string, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    handle: (call) => (call.host === host ? route.handle(call) : errors.status(404, call)),
  }));
}
