import { unknownPath } from '../../graph/errors.ts';
import { loginRoutes } from '../../graph/login-routes.ts';
import { checkRateLimit, rateLimitHeaders } from '../../graph/rate-limits.ts';
import { codeExchangePath } from '../../graph/token-endpoint.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { Call, Route, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { createComment, createReply, listComments, listReplies } from './comments.ts';
import { createContainer, operationOfCreation } from './container-create.ts';
import { errors, usageType } from './errors.ts';
import { login } from './login.ts';
import { ownMedia, ownStories } from './media-read.ts';
import { operationOfNode, showNode } from './nodes.ts';
import { avatar, homePage, mediaFile, mediaPage, profilePage, storyPage } from './pages.ts';
import { publishContainer } from './publish.ts';
import { publishingLimit } from './quota.ts';

const website = 'www.instagram.com';
const hosts = [website, 'api.instagram.com', 'graph.instagram.com', 'scontent.cdninstagram.com'];
const newestVersion = 26;

const graph: readonly Route[] = [
  { method: 'POST', path: '/v:version/:id/media', operation: operationOfCreation, handle: createContainer },
  { method: 'POST', path: '/v:version/:id/media_publish', operation: 'publish', handle: publishContainer },
  { method: 'GET', path: '/v:version/:id/media', operation: 'other', handle: ownMedia },
  { method: 'GET', path: '/v:version/:id/stories', operation: 'other', handle: ownStories },
  { method: 'GET', path: '/v:version/:id/content_publishing_limit', operation: 'other', handle: publishingLimit },
  { method: 'POST', path: '/v:version/:id/comments', operation: 'comment', handle: createComment },
  { method: 'GET', path: '/v:version/:id/comments', operation: 'other', handle: listComments },
  { method: 'POST', path: '/v:version/:id/replies', operation: 'comment', handle: createReply },
  { method: 'GET', path: '/v:version/:id/replies', operation: 'other', handle: listReplies },
  { method: 'GET', path: '/v:version/:id', operation: operationOfNode, handle: showNode },
];

const pages: readonly Route[] = [
  page('/', homePage),
  page('/p/:shortcode/', mediaPage),
  page('/p/:shortcode/c/:comment/', mediaPage),
  page('/reel/:shortcode/', mediaPage),
  page('/reel/:shortcode/c/:comment/', mediaPage),
  page('/stories/:user/:id', storyPage),
  page('/:user/', profilePage),
  { method: 'GET', path: '/v/t51.2885-19/:id.jpg', operation: 'page', handle: avatar },
  { method: 'GET', path: '/v/t51.2885-15/:id', operation: 'page', handle: mediaFile },
];

/** The Instagram API with Instagram Login (Graph v26), limited to the calls of a publishing app. */
export const instagram: SandboxPlatform = {
  id: 'instagram',
  name: 'Instagram',
  servesHost: (host) => hosts.includes(host),
  errors,
  accounts,
  before: (call) => checkHost(call) ?? checkRateLimit(call),
  headers: (call) => rateLimitHeaders(call, usageType),
  routes: [...loginRoutes(login), ...graph, ...pages],
};

/** The code exchange has its own host. A version that does not exist yet makes the path unknown. */
function checkHost(call: Call): HttpResponse | undefined {
  const host = call.path === codeExchangePath ? 'api.instagram.com' : 'graph.instagram.com';
  const { version } = call.params;
  const isVersion = version === undefined || (/^\d+\.0$/.test(version) && Number(version) <= newestVersion);
  return call.host === host && isVersion ? undefined : unknownPath(call.path);
}

function page(path: string, show: (call: Call) => HttpResponse): Route {
  const handle = (call: Call) => (call.host === website ? show(call) : unknownPath(call.path));
  return { method: 'GET', path, operation: 'page', handle };
}
