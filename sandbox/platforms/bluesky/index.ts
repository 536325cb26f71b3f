import type { HttpResponse } from '../../http/http-response.ts';
import type { Call, Route, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { uploadBlob } from './blobs.ts';
import { createBookmark, deleteBookmark } from './bookmarks.ts';
import { errors, plainError } from './errors.ts';
import { getAuthorFeed, getPosts, getPostThread, getProfile } from './feed.ts';
import { type HostRole, hostRole, servesHost } from './hosts.ts';
import { directoryEntry, resolveHandle, wellKnownDocument } from './identity.ts';
import { appPasswordForm, cdnImage, createAppPassword, homePage, postPageOf, profilePage } from './pages.ts';
import { checkRateLimit, rateLimitHeaders } from './rate-limits.ts';
import { createRecord, deleteRecord, getRecord, operationOf, putRecord } from './repo/records.ts';
import { getServiceAuth } from './sign-in/service-auth.ts';
import { createSession, getSession, refreshSession } from './sign-in/session.ts';
import { getJobStatus, getUploadLimits, uploadVideo } from './video.ts';

/** Bluesky and the AT Protocol, limited to the calls of an app with an app password. */
export const bluesky: SandboxPlatform = {
  id: 'bluesky',
  name: 'Bluesky',
  servesHost,
  errors,
  accounts,
  // This limit is for JSON. Blobs and videos arrive as files and have their own limits.
  maxBodyBytes: 1_000_000,
  secretNames: ['accessJwt', 'refreshJwt'],
  before: checkRateLimit,
  headers: rateLimitHeaders,
  routes: [
    at('pds', procedure('com.atproto.server.createSession', 'token', createSession)),
    at('pds', procedure('com.atproto.server.refreshSession', 'token', refreshSession)),
    at('pds', query('com.atproto.server.getSession', 'account', getSession)),
    at('pds', query('com.atproto.server.getServiceAuth', 'other', getServiceAuth)),
    at('pds appview', query('com.atproto.identity.resolveHandle', 'other', resolveHandle)),

    at('pds', procedure('com.atproto.repo.createRecord', operationOf, createRecord)),
    at('pds', procedure('com.atproto.repo.putRecord', operationOf, putRecord)),
    at('pds', procedure('com.atproto.repo.deleteRecord', 'other', deleteRecord)),
    at('pds appview', query('com.atproto.repo.getRecord', 'other', getRecord)),
    at('pds', { ...procedure('com.atproto.repo.uploadBlob', 'upload', uploadBlob), body: 'file' }),

    at('video', { ...procedure('app.bsky.video.uploadVideo', 'upload', uploadVideo), body: 'file' }),
    at('video', query('app.bsky.video.getJobStatus', 'status', getJobStatus)),
    at('video', query('app.bsky.video.getUploadLimits', 'other', getUploadLimits)),

    at('pds appview', query('app.bsky.feed.getPosts', 'stats', getPosts)),
    at('pds appview', query('app.bsky.feed.getPostThread', 'stats', getPostThread)),
    at('pds appview', query('app.bsky.feed.getAuthorFeed', 'stats', getAuthorFeed)),
    // Profile and follower counts are one request here, so it is both operations.
    at(
      'pds appview',
      query('app.bsky.actor.getProfile', () => ['account', 'stats'], getProfile),
    ),
    at('pds', procedure('app.bsky.bookmark.createBookmark', 'other', createBookmark)),
    at('pds', procedure('app.bsky.bookmark.deleteBookmark', 'other', deleteBookmark)),
    query('*', 'other', notImplemented),
    procedure('*', 'other', notImplemented),

    at('directory', { method: 'GET', path: '/:did', operation: 'other', handle: directoryEntry }),
    { method: 'GET', path: '/.well-known/did.json', operation: 'other', handle: wellKnownDocument },

    at('web', { method: 'GET', path: '/settings/app-passwords', operation: 'page', handle: appPasswordForm }),
    at('web', { method: 'POST', path: '/settings/app-passwords', operation: 'page', handle: createAppPassword }),
    at('web', { method: 'GET', path: '/profile/:actor', operation: 'page', handle: profilePage }),
    at('web', { method: 'GET', path: '/profile/:actor/post/:rkey', operation: 'page', handle: postPageOf }),
    at('cdn', { method: 'GET', path: '/img/:size/plain/:did/:name', operation: 'page', handle: cdnImage }),
    { method: 'GET', path: '/', operation: 'page', handle: homePage },
  ],
};

function query(nsid: string, operation: Route['operation'], handle: Route['handle']): Route {
  return { method: 'GET', path: `/xrpc/${nsid}`, operation, handle };
}

function procedure(nsid: string, operation: Route['operation'], handle: Route['handle']): Route {
  return { method: 'POST', path: `/xrpc/${nsid}`, operation, handle };
}

/** Each host serves only the methods of its role. */
function at(roles: HostRole | 'pds appview', route: Route): Route {
  const here = roles.split(' ');
  const handle = (call: Call) => (here.includes(hostRole(call.host) ?? '') ? route.handle(call) : elsewhere(call));
  return { ...route, handle };
}

function elsewhere(call: Call): HttpResponse {
  return call.path.startsWith('/xrpc/') ? notImplemented() : plainError(404);
}

function notImplemented(): HttpResponse {
  return plainError(501);
}
