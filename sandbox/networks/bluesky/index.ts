import type { Answer } from '../../answer.ts';
import type { Call, Network, Route } from '../../network.ts';
import { accounts } from './accounts.ts';
import { getBlob, uploadBlob } from './blobs.ts';
import { createBookmark, deleteBookmark } from './bookmarks.ts';
import { errors, plainError } from './errors.ts';
import { getAuthorFeed, getPosts, getPostThread, getProfile, getProfiles } from './feed.ts';
import { answersFor, type Place, placeOf } from './hosts.ts';
import { directoryEntry, resolveHandle, wellKnownDid, wellKnownDocument } from './identity.ts';
import { appPasswordForm, createAppPassword, homePage, picture, postPageOf, profilePage } from './pages.ts';
import { budgetHeaders, overBudget } from './rate-limits.ts';
import { applyWrites, createRecord, deleteRecord, getRecord, listRecords, operationOf, putRecord } from './records.ts';
import { describeServer, getServiceAuth, health } from './server.ts';
import { createSession, deleteSession, getSession, refreshSession } from './session.ts';
import { getJobStatus, getUploadLimits, uploadVideo } from './video.ts';

/** Bluesky and the AT Protocol below it, as far as an app with an app password can touch it. */
export const bluesky: Network = {
  id: 'bluesky',
  name: 'Bluesky',
  answersFor,
  errors,
  accounts,
  // Of JSON; blobs and videos come as files and have limits of their own.
  maxBodyBytes: 1_000_000,
  before: overBudget,
  headers: budgetHeaders,
  routes: [
    at('pds', procedure('com.atproto.server.createSession', 'token', createSession)),
    at('pds', procedure('com.atproto.server.refreshSession', 'token', refreshSession)),
    at('pds', procedure('com.atproto.server.deleteSession', 'other', deleteSession)),
    at('pds', query('com.atproto.server.getSession', 'account', getSession)),
    at('pds', query('com.atproto.server.describeServer', 'other', describeServer)),
    at('pds', query('com.atproto.server.getServiceAuth', 'other', getServiceAuth)),
    at('pds appview', query('_health', 'other', health)),
    at('pds appview', query('com.atproto.identity.resolveHandle', 'other', resolveHandle)),

    at('pds', procedure('com.atproto.repo.createRecord', operationOf, createRecord)),
    at('pds', procedure('com.atproto.repo.putRecord', operationOf, putRecord)),
    at('pds', procedure('com.atproto.repo.applyWrites', operationOf, applyWrites)),
    at('pds', procedure('com.atproto.repo.deleteRecord', 'other', deleteRecord)),
    at('pds appview', query('com.atproto.repo.getRecord', 'other', getRecord)),
    at('pds', query('com.atproto.repo.listRecords', 'other', listRecords)),
    at('pds', { ...procedure('com.atproto.repo.uploadBlob', 'upload', uploadBlob), body: 'file' }),
    at('pds', query('com.atproto.sync.getBlob', 'other', getBlob)),

    at('video', { ...procedure('app.bsky.video.uploadVideo', 'upload', uploadVideo), body: 'file' }),
    at('video', query('app.bsky.video.getJobStatus', 'status', getJobStatus)),
    at('video', query('app.bsky.video.getUploadLimits', 'other', getUploadLimits)),

    at('pds appview', query('app.bsky.feed.getPosts', 'stats', getPosts)),
    at('pds appview', query('app.bsky.feed.getPostThread', 'stats', getPostThread)),
    at('pds appview', query('app.bsky.feed.getAuthorFeed', 'stats', getAuthorFeed)),
    // Who an account is, and how many follow it, are one question here.
    at(
      'pds appview',
      query('app.bsky.actor.getProfile', () => ['account', 'stats'], getProfile),
    ),
    at(
      'pds appview',
      query('app.bsky.actor.getProfiles', () => ['account', 'stats'], getProfiles),
    ),
    at('pds', procedure('app.bsky.bookmark.createBookmark', 'other', createBookmark)),
    at('pds', procedure('app.bsky.bookmark.deleteBookmark', 'other', deleteBookmark)),
    query('*', 'other', notImplemented),
    procedure('*', 'other', notImplemented),

    at('directory', { method: 'GET', path: '/:did', operation: 'other', handle: directoryEntry }),
    at('handle', { method: 'GET', path: '/.well-known/atproto-did', operation: 'other', handle: wellKnownDid }),
    { method: 'GET', path: '/.well-known/did.json', operation: 'other', handle: wellKnownDocument },

    at('web', { method: 'GET', path: '/settings/app-passwords', operation: 'page', handle: appPasswordForm }),
    at('web', { method: 'POST', path: '/settings/app-passwords', operation: 'page', handle: createAppPassword }),
    at('web', { method: 'GET', path: '/profile/:actor', operation: 'page', handle: profilePage }),
    at('web', { method: 'GET', path: '/profile/:actor/post/:rkey', operation: 'page', handle: postPageOf }),
    at('cdn', { method: 'GET', path: '/img/:size/plain/:did/:name', operation: 'page', handle: picture }),
    { method: 'GET', path: '/', operation: 'page', handle: homePage },
  ],
};

function query(nsid: string, operation: Route['operation'], handle: Route['handle']): Route {
  return { method: 'GET', path: `/xrpc/${nsid}`, operation, handle };
}

function procedure(nsid: string, operation: Route['operation'], handle: Route['handle']): Route {
  return { method: 'POST', path: `/xrpc/${nsid}`, operation, handle };
}

/** The hosts play different parts: each knows only its own methods. */
function at(places: Place | 'pds appview', route: Route): Route {
  const here = places.split(' ');
  const handle = (call: Call) => (here.includes(placeOf(call.host) ?? '') ? route.handle(call) : elsewhere(call));
  return { ...route, handle };
}

function elsewhere(call: Call): Answer {
  return call.path.startsWith('/xrpc/') ? notImplemented() : plainError(404);
}

function notImplemented(): Answer {
  return plainError(501);
}
