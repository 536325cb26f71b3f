import type { Answer } from '../../answer.ts';
import { json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Call, Network, Operation } from '../../network.ts';
import { accounts } from './accounts.ts';
import { createComment, listComments } from './comments.ts';
import { unknownPath } from './errors.ts';
import { createFeedPost, scheduledPosts } from './feed-create.ts';
import { pageVideos, publishedPosts } from './feed-read.ts';
import { isPublished, readInput } from './input.ts';
import { insights } from './insights.ts';
import { errors } from './network-errors.ts';
import { myPages, operationOfNode, showNode } from './nodes.ts';
import { accessToken, answerDialog, dialog } from './oauth.ts';
import { picture, postPageOf, profilePage, storyPage, videoPage } from './pages.ts';
import { createPhoto, createPhotoStory, photoFile } from './photos.ts';
import { deletePost, editPost, like } from './post-change.ts';
import { budgetHeaders, overBudget } from './rate-limits.ts';
import { createVertical, uploadVertical } from './reels.ts';
import { requireToken } from './sign-in.ts';
import { debugToken, deletePermissions, permissions } from './token-info.ts';
import { createVideo } from './video-upload.ts';

const hosts = ['www.facebook.com', 'graph.facebook.com', 'graph-video.facebook.com', 'rupload.facebook.com'];
const newestVersion = 26;

/** The Graph API v26 for Pages, as far as an app that publishes can touch it, and the pages of www.facebook.com. */
export const facebook: Network = {
  id: 'facebook',
  name: 'Facebook',
  answersFor: (host) => hosts.includes(host),
  errors,
  accounts,
  before: (call) => checkVersion(call) ?? overBudget(call),
  headers: budgetHeaders,
  routes: [
    { method: 'GET', path: '/:version/dialog/oauth', operation: 'page', handle: dialog },
    { method: 'POST', path: '/:version/dialog/oauth', operation: 'page', handle: answerDialog },
    { method: 'GET', path: '/:version/oauth/access_token', operation: 'token', handle: accessToken },
    { method: 'POST', path: '/:version/oauth/access_token', operation: 'token', handle: accessToken },
    { method: 'GET', path: '/:version/debug_token', operation: 'account', handle: debugToken },
    { method: 'GET', path: '/:version/me/accounts', operation: 'account', handle: myPages },
    { method: 'GET', path: '/:version/me/permissions', operation: 'account', handle: permissions },
    { method: 'DELETE', path: '/:version/me/permissions', operation: 'other', handle: deletePermissions },
    { method: 'GET', path: '/:version/me/businesses', operation: 'account', handle: noBusinesses },
    { method: 'POST', path: '/video-upload/:version/:id', operation: 'upload', body: 'file', handle: uploadVertical },

    { method: 'GET', path: '/reel/:id/', operation: 'page', handle: videoPage },
    { method: 'GET', path: '/reel/:id', operation: 'page', handle: videoPage },
    { method: 'GET', path: '/stories/:id', operation: 'page', handle: storyPage },
    { method: 'GET', path: '/photo/:id', operation: 'page', handle: photoFile },
    { method: 'GET', path: '/:page/posts/:id', operation: 'page', handle: postPageOf },
    { method: 'GET', path: '/:page/videos/:id/', operation: 'page', handle: videoPage },
    { method: 'GET', path: '/:page/videos/:id', operation: 'page', handle: videoPage },
    { method: 'GET', path: '/:version/:id/picture', operation: 'page', handle: picture },
    { method: 'GET', path: '/:name', operation: 'page', handle: profilePage },

    { method: 'POST', path: '/:version/:id/feed', operation: publishOr('other'), handle: createFeedPost },
    { method: 'POST', path: '/:version/:id/photos', operation: publishOr('upload'), handle: createPhoto },
    { method: 'POST', path: '/:version/:id/videos', operation: byPhase, handle: createVideo },
    { method: 'POST', path: '/:version/:id/video_reels', operation: byPhase, handle: createVertical('reel') },
    { method: 'POST', path: '/:version/:id/video_stories', operation: byPhase, handle: createVertical('story') },
    { method: 'POST', path: '/:version/:id/photo_stories', operation: 'publish', handle: createPhotoStory },
    { method: 'GET', path: '/:version/:id/feed', operation: 'stats', handle: publishedPosts },
    { method: 'GET', path: '/:version/:id/posts', operation: 'stats', handle: publishedPosts },
    { method: 'GET', path: '/:version/:id/published_posts', operation: 'stats', handle: publishedPosts },
    { method: 'GET', path: '/:version/:id/scheduled_posts', operation: 'other', handle: scheduledPosts },
    { method: 'GET', path: '/:version/:id/videos', operation: 'stats', handle: pageVideos('video') },
    { method: 'GET', path: '/:version/:id/video_reels', operation: 'stats', handle: pageVideos('reel') },
    { method: 'POST', path: '/:version/:id/comments', operation: 'comment', handle: createComment },
    { method: 'GET', path: '/:version/:id/comments', operation: 'stats', handle: listComments },
    { method: 'POST', path: '/:version/:id/likes', operation: 'other', handle: like(true) },
    { method: 'DELETE', path: '/:version/:id/likes', operation: 'other', handle: like(false) },
    { method: 'GET', path: '/:version/:id/insights', operation: 'stats', handle: insights },
    { method: 'GET', path: '/:version/:id', operation: operationOfNode, handle: showNode },
    { method: 'POST', path: '/:version/:id', operation: 'other', handle: editPost },
    { method: 'DELETE', path: '/:version/:id', operation: 'other', handle: deletePost },
  ],
};

/** A call in phases is visible only after the last one. */
function byPhase(call: Call): Operation {
  return ['start', 'transfer'].includes(asText(readInput(call).upload_phase)) ? 'upload' : 'publish';
}

function publishOr(other: Operation) {
  return (call: Call): Operation => (isPublished(readInput(call)) ? 'publish' : other);
}

/** An ended version is served by the oldest that is left; one that never was is taken for something else. */
function checkVersion(call: Call): Answer | undefined {
  const [, major] = /^v(\d+)\.\d$/.exec(call.params.version ?? '') ?? [];
  return major !== undefined && Number(major) <= newestVersion ? undefined : unknownPath(call.path);
}

function noBusinesses(call: Call): Answer {
  requireToken(call);
  return json({ data: [] });
}
