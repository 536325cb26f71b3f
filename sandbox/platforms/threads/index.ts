import { unknownPath } from '../../graph/errors.ts';
import { loginRoutes } from '../../graph/login-routes.ts';
import { checkRateLimit, rateLimitHeaders } from '../../graph/rate-limits.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { Call, Route, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { createContainer, operationOfCreation } from './container-create.ts';
import { errors, usageType } from './errors.ts';
import { login } from './login.ts';
import { conversation, ownThreads, replies } from './media-read.ts';
import { operationOfNode, showNode } from './nodes.ts';
import { avatar, homePage, mediaFile, profilePage, threadPage } from './pages.ts';
import { deletePost } from './post-delete.ts';
import { publishContainer, publishOrComment } from './publish.ts';
import { publishingLimit } from './quota.ts';
import { debugToken } from './token-info.ts';

const websites = ['threads.net', 'www.threads.net', 'threads.com', 'www.threads.com'];
const apis = ['graph.threads.net', 'graph.threads.com'];
const files = 'scontent.cdninstagram.com';

const graph: readonly Route[] = [
  { method: 'GET', path: '/v1.0/debug_token', operation: 'account', handle: debugToken },
  { method: 'POST', path: '/v1.0/:id/threads', operation: operationOfCreation, handle: createContainer },
  { method: 'POST', path: '/v1.0/:id/threads_publish', operation: publishOrComment, handle: publishContainer },
  { method: 'GET', path: '/v1.0/:id/threads', operation: 'other', handle: ownThreads },
  { method: 'GET', path: '/v1.0/:id/threads_publishing_limit', operation: 'other', handle: publishingLimit },
  { method: 'GET', path: '/v1.0/:id/replies', operation: 'other', handle: replies },
  { method: 'GET', path: '/v1.0/:id/conversation', operation: 'other', handle: conversation },
  { method: 'GET', path: '/v1.0/:id', operation: operationOfNode, handle: showNode },
  { method: 'DELETE', path: '/v1.0/:id', operation: 'other', handle: deletePost },
];

const pages: readonly Route[] = [
  page('/', homePage),
  page('/@:user/post/:shortcode', threadPage),
  page('/@:user', profilePage),
  { method: 'GET', path: '/v/t51.82787-19/:id.jpg', operation: 'page', handle: avatar },
  { method: 'GET', path: '/v/t51.82787-15/:id', operation: 'page', handle: mediaFile },
];

/** The Threads API of 2026, limited to the calls of a publishing app. */
export const threads: SandboxPlatform = {
  id: 'threads',
  name: 'Threads',
  servesHost: (host) => host === files || websites.includes(host) || apis.includes(host),
  errors,
  accounts,
  secretNames: ['input_token'],
  before: (call) => (apis.includes(call.host) ? checkRateLimit(call) : unknownPath(call.path)),
  headers: (call) => rateLimitHeaders(call, usageType),
  routes: [...loginRoutes(login), ...graph, ...pages],
};

function page(path: string, show: (call: Call) => HttpResponse): Route {
  const handle = (call: Call) => (websites.includes(call.host) ? show(call) : unknownPath(call.path));
  return { method: 'GET', path, operation: 'page', handle };
}
