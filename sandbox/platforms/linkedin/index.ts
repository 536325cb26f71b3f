import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '../../http/http-response.ts';
import type { Call, Route, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { createComment } from './engagement/comment-create.ts';
import { deleteComment } from './engagement/comment-delete.ts';
import { listComments } from './engagement/comment-read.ts';
import { createLike, createReaction, deleteLike, deleteReaction, listLikes } from './engagement/reactions.ts';
import { error, errors, introspectionPath } from './errors.ts';
import { assetFile, showAsset } from './media/assets.ts';
import { initialize, receive } from './media/single-part.ts';
import { receivePart, videoAction } from './media/video.ts';
import { organizationAcls, organizationalEntityAcls, organizationsLookup } from './organizations.ts';
import { avatar, homePage, profilePage, updatePage } from './pages.ts';
import { createPost } from './posts/create.ts';
import { deletePost } from './posts/delete.ts';
import { postsByAuthor } from './posts/read.ts';
import { checkRateLimit } from './rate-limits.ts';
import { isCompoundKey } from './rest-li/rest-li.ts';
import { checkVersion } from './rest-li/versions.ts';
import { allow, authorize } from './sign-in/consent.ts';
import { me, userinfo } from './sign-in/identity.ts';
import { introspect, token } from './sign-in/token-endpoint.ts';
import { followerStatistics, memberFollowersCount, networkSize } from './statistics/followers.ts';
import { postAnalytics } from './statistics/member-post-analytics.ts';
import { shareStatistics } from './statistics/share-statistics.ts';

const hosts = ['www.linkedin.com', 'api.linkedin.com', 'media.licdn.com'];

const publishing: readonly Route[] = [
  { method: 'POST', path: '/rest/posts', operation: 'publish', handle: createPost },
  { method: 'GET', path: '/rest/posts', operation: 'other', handle: postsByAuthor },
  { method: 'DELETE', path: '/rest/posts/:urn', operation: 'other', handle: deletePost },

  { method: 'POST', path: '/rest/images', operation: 'upload', handle: initialize('image') },
  { method: 'POST', path: '/rest/documents', operation: 'upload', handle: initialize('document') },
  { method: 'POST', path: '/rest/videos', operation: 'upload', handle: videoAction },
  { method: 'GET', path: '/rest/images/:urn', operation: 'status', handle: showAsset('image') },
  { method: 'GET', path: '/rest/documents/:urn', operation: 'status', handle: showAsset('document') },
  { method: 'GET', path: '/rest/videos/:urn', operation: 'status', handle: showAsset('video') },
  receiving('uploaded-image', receive('image')),
  receiving('uploaded-document', receive('document')),
  receiving('uploaded-video', receivePart),
];

const engagement: readonly Route[] = [
  ...comments('/rest'),
  ...comments('/v2'),
  { method: 'POST', path: '/v2/socialActions/:urn/likes', operation: 'other', handle: createLike },
  { method: 'GET', path: '/v2/socialActions/:urn/likes', operation: 'stats', handle: listLikes },
  { method: 'DELETE', path: '/v2/socialActions/:urn/likes/:actor', operation: 'other', handle: deleteLike },
  { method: 'POST', path: '/rest/reactions', operation: 'other', handle: createReaction },
  { method: 'DELETE', path: '/rest/reactions/:key', operation: 'other', handle: deleteReaction },
];

const statistics: readonly Route[] = [
  { method: 'GET', path: '/rest/organizationalEntityShareStatistics', operation: 'stats', handle: shareStatistics },
  {
    method: 'GET',
    path: '/rest/organizationalEntityFollowerStatistics',
    operation: 'stats',
    handle: followerStatistics,
  },
  { method: 'GET', path: '/rest/networkSizes/:urn', operation: 'stats', handle: networkSize },
  { method: 'GET', path: '/rest/memberCreatorPostAnalytics', operation: 'stats', handle: postAnalytics },
  { method: 'GET', path: '/rest/memberFollowersCount', operation: 'stats', handle: memberFollowersCount },
];

const identity: readonly Route[] = [
  { method: 'GET', path: '/oauth/v2/authorization', operation: 'page', handle: authorize },
  { method: 'POST', path: '/oauth/v2/authorization', operation: 'page', handle: allow },
  { method: 'POST', path: '/oauth/v2/accessToken', operation: 'token', handle: token },
  { method: 'POST', path: introspectionPath, operation: 'account', handle: introspect },
  { method: 'GET', path: '/v2/userinfo', operation: 'account', handle: userinfo },
  { method: 'GET', path: '/v2/me', operation: 'account', handle: me },
  { method: 'GET', path: '/rest/organizationAcls', operation: 'account', handle: organizationAcls },
  { method: 'GET', path: '/v2/organizationalEntityAcls', operation: 'account', handle: organizationalEntityAcls },
  { method: 'GET', path: '/rest/organizationsLookup', operation: 'account', handle: organizationsLookup },
  { method: 'GET', path: '/v2/organizationsLookup', operation: 'account', handle: organizationsLookup },
];

const website: readonly Route[] = [
  { method: 'GET', path: '/', operation: 'page', handle: homePage },
  { method: 'GET', path: '/feed/update/:urn', operation: 'page', handle: updatePage },
  { method: 'GET', path: '/feed/update/:urn/', operation: 'page', handle: updatePage },
  { method: 'GET', path: '/in/:name', operation: 'page', handle: profilePage('member') },
  { method: 'GET', path: '/in/:name/', operation: 'page', handle: profilePage('member') },
  { method: 'GET', path: '/company/:name', operation: 'page', handle: profilePage('page') },
  { method: 'GET', path: '/company/:name/', operation: 'page', handle: profilePage('page') },
  { method: 'GET', path: '/dms/image/v2/:id/:size/0', operation: 'page', handle: avatar },
  { method: 'GET', path: '/dms/asset/:urn', operation: 'page', handle: assetFile },
];

/** LinkedIn of 2026, limited to the calls of an app that publishes for members and company pages. */
export const linkedin: SandboxPlatform = {
  id: 'linkedin',
  name: 'LinkedIn',
  servesHost: (host) => hosts.includes(host),
  errors,
  accounts,
  before: (call) => checkVersion(call) ?? checkPath(call) ?? checkRateLimit(call),
  headers: () => ({ 'x-li-fabric': 'prod-lor1', 'x-li-uuid': randomUUID(), 'x-li-request-id': randomUUID() }),
  routes: [...publishing, ...engagement, ...statistics, ...identity, ...website],
};

function receiving(purpose: string, handle: Route['handle']): Route {
  return { method: 'PUT', path: `/dms-uploads/:asset/${purpose}/:part`, operation: 'upload', body: 'file', handle };
}

function comments(root: string): Route[] {
  const path = `${root}/socialActions/:urn/comments`;
  return [
    { method: 'POST', path, operation: 'comment', handle: createComment },
    { method: 'GET', path, operation: 'stats', handle: listComments },
    { method: 'DELETE', path: `${path}/:id`, operation: 'other', handle: deleteComment },
  ];
}

/** These characters are syntax in Rest.li, so a key in a path must encode them. Only a compound key has them raw. */
function checkPath({ path }: Call): HttpResponse | undefined {
  const isApi = path.startsWith('/rest/') || path.startsWith('/v2/');
  const isKey = (segment: string) => !/[(),':]/.test(segment) || isCompoundKey(segment);
  return isApi && !path.split('/').every(isKey)
    ? error(400, 'ILLEGAL_ARGUMENT', 'Syntax exception in path variables')
    : undefined;
}
