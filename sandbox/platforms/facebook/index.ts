import type { Operation } from '../../faults.ts';
import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { unknownPath } from './errors.ts';
import { isPublished, readInput } from './input.ts';
import { myPages, operationOfNode, showNode } from './nodes.ts';
import { avatar, postPageOf, profilePage, videoPage } from './pages.ts';
import { errors } from './platform-errors.ts';
import { createComment, listComments } from './posts/comments.ts';
import { createFeedPost } from './posts/create.ts';
import { deletePost } from './posts/delete.ts';
import { createPhoto, photoFile } from './posts/photos.ts';
import { publishedPosts } from './posts/read.ts';
import { checkRateLimit, rateLimitHeaders } from './rate-limits.ts';
import { requireToken } from './sign-in/authenticate.ts';
import { allow, authorize } from './sign-in/consent.ts';
import { token } from './sign-in/token-endpoint.ts';
import { debugToken } from './sign-in/token-info.ts';
import { createVideo } from './videos/upload.ts';

const hosts = ['www.facebook.com', 'graph.facebook.com', 'graph-video.facebook.com'];
const newestVersion = 26;

/** The Graph API v26 for Pages, limited to the calls of a publishing app, and the website www.facebook.com. */
export const facebook: SandboxPlatform = {
  id: 'facebook',
  name: 'Facebook',
  servesHost: (host) => hosts.includes(host),
  errors,
  accounts,
  secretNames: ['fb_exchange_token', 'input_token'],
  before: (call) => checkVersion(call) ?? checkRateLimit(call),
  headers: rateLimitHeaders,
  routes: [
    { method: 'GET', path: '/:version/dialog/oauth', operation: 'page', handle: authorize },
    { method: 'POST', path: '/:version/dialog/oauth', operation: 'page', handle: allow },
    { method: 'GET', path: '/:version/oauth/access_token', operation: 'token', handle: token },
    { method: 'GET', path: '/:version/debug_token', operation: 'account', handle: debugToken },
    { method: 'GET', path: '/:version/me/accounts', operation: 'account', handle: myPages },
    { method: 'GET', path: '/:version/me/businesses', operation: 'account', handle: noBusinesses },

    { method: 'GET', path: '/photo/:id', operation: 'page', handle: photoFile },
    { method: 'GET', path: '/:page/posts/:id', operation: 'page', handle: postPageOf },
    { method: 'GET', path: '/:page/videos/:id/', operation: 'page', handle: videoPage },
    { method: 'GET', path: '/:page/videos/:id', operation: 'page', handle: videoPage },
    { method: 'GET', path: '/:version/:id/picture', operation: 'page', handle: avatar },
    { method: 'GET', path: '/:name', operation: 'page', handle: profilePage },

    { method: 'POST', path: '/:version/:id/feed', operation: 'publish', handle: createFeedPost },
    { method: 'POST', path: '/:version/:id/photos', operation: publishOrUpload, handle: createPhoto },
    { method: 'POST', path: '/:version/:id/videos', operation: byPhase, handle: createVideo },
    { method: 'GET', path: '/:version/:id/published_posts', operation: 'stats', handle: publishedPosts },
    { method: 'POST', path: '/:version/:id/comments', operation: 'comment', handle: createComment },
    { method: 'GET', path: '/:version/:id/comments', operation: 'stats', handle: listComments },
    { method: 'GET', path: '/:version/:id', operation: operationOfNode, handle: showNode },
    { method: 'DELETE', path: '/:version/:id', operation: 'other', handle: deletePost },
  ],
};

/** Only the last phase of a chunked upload publishes. */
function byPhase(call: Call): Operation {
  return ['start', 'transfer'].includes(asText(readInput(call).upload_phase)) ? 'upload' : 'publish';
}

function publishOrUpload(call: Call): Operation {
  return isPublished(readInput(call)) ? 'publish' : 'upload';
}

/** The oldest remaining version serves calls to retired versions. A version that never existed is an unknown path. */
function checkVersion(call: Call): HttpResponse | undefined {
  const [, major] = /^v(\d+)\.\d$/.exec(call.params.version ?? '') ?? [];
  return major !== undefined && Number(major) <= newestVersion ? undefined : unknownPath(call.path);
}

function noBusinesses(call: Call): HttpResponse {
  requireToken(call);
  return json({ data: [] });
}
