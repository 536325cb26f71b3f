import type { SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { analytics } from './analytics.ts';
import { errors } from './errors.ts';
import { servesHost } from './hosts.ts';
import { append, finalize, initialize } from './media/chunks.ts';
import { describeMedia, uploadMedia, uploadStatus } from './media/upload.ts';
import { avatar, homePage, mediaFile, profilePage, statusPage } from './pages.ts';
import { createPost, publishOrComment } from './posts/create.ts';
import { deletePost } from './posts/delete.ts';
import { repost } from './posts/reactions.ts';
import { manyPosts, onePost, timeline } from './posts/read.ts';
import { checkRateLimit, rateLimitHeaders } from './rate-limits.ts';
import { allow, authorize } from './sign-in/consent.ts';
import { token } from './sign-in/token-endpoint.ts';
import { switches } from './switches.ts';
import { me } from './users.ts';

/** X API v2 as of autumn 2026, limited to the calls of a publishing app. */
export const twitter: SandboxPlatform = {
  id: 'twitter',
  name: 'X',
  servesHost,
  errors,
  accounts,
  switches,
  // Large enough for a GIF of 15 MB in base64.
  maxBodyBytes: 24 * 1024 * 1024,
  before: checkRateLimit,
  headers: rateLimitHeaders,
  routes: [
    { method: 'POST', path: '/2/tweets', operation: publishOrComment, handle: createPost },
    { method: 'GET', path: '/2/tweets', operation: 'stats', handle: manyPosts },
    { method: 'GET', path: '/2/tweets/analytics', operation: 'stats', handle: analytics },
    { method: 'GET', path: '/2/tweets/:id', operation: 'stats', handle: onePost },
    { method: 'DELETE', path: '/2/tweets/:id', operation: 'other', handle: deletePost },
    { method: 'GET', path: '/2/users/:id/tweets', operation: 'stats', handle: timeline },
    { method: 'POST', path: '/2/users/:id/retweets', operation: 'other', handle: repost },

    { method: 'POST', path: '/2/media/upload', operation: 'upload', handle: uploadMedia },
    { method: 'GET', path: '/2/media/upload', operation: 'status', handle: uploadStatus },
    { method: 'POST', path: '/2/media/upload/initialize', operation: 'upload', handle: initialize },
    { method: 'POST', path: '/2/media/upload/:id/append', operation: 'upload', handle: append },
    { method: 'POST', path: '/2/media/upload/:id/finalize', operation: 'upload', handle: finalize },
    { method: 'POST', path: '/2/media/metadata', operation: 'other', handle: describeMedia },

    { method: 'GET', path: '/2/users/me', operation: 'account', handle: me },
    { method: 'POST', path: '/2/oauth2/token', operation: 'token', handle: token },

    { method: 'GET', path: '/i/oauth2/authorize', operation: 'page', handle: authorize },
    { method: 'POST', path: '/i/oauth2/authorize', operation: 'page', handle: allow },
    { method: 'GET', path: '/', operation: 'page', handle: homePage },
    { method: 'GET', path: '/i/web/status/:id', operation: 'page', handle: statusPage },
    { method: 'GET', path: '/:user/status/:id', operation: 'page', handle: statusPage },
    { method: 'GET', path: '/profile_images/:id/:name', operation: 'page', handle: avatar },
    { method: 'GET', path: '/media/:name', operation: 'page', handle: mediaFile },
    { method: 'GET', path: '/:user', operation: 'page', handle: profilePage },
  ],
};
