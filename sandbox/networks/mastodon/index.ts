import { asText } from '../../fields.ts';
import type { Call, Network, Operation } from '../../network.ts';
import { accountStatuses, accounts, showAccount, verifyAccount } from './accounts.ts';
import { errors } from './errors.ts';
import { follow } from './follows.ts';
import { answersFor } from './hosts.ts';
import { instanceV1, instanceV2 } from './instance.ts';
import { changeMedia, deleteMedia, mediaFile, showMedia, uploadMedia } from './media.ts';
import { allow, authorize, discovery, registerApp, revoke, token, verifyApp } from './oauth.ts';
import { avatar, homePage, profilePage, statusPage } from './pages.ts';
import { budgetHeaders, overBudget } from './rate-limits.ts';
import { deleteStatus, editStatus, react } from './status-change.ts';
import { createStatus } from './status-create.ts';
import { context, manyStatuses, oneStatus, source } from './status-read.ts';

/** Mastodon 4.7, as far as an app that publishes can touch it. */
export const mastodon: Network = {
  id: 'mastodon',
  name: 'Mastodon',
  answersFor,
  errors,
  accounts,
  // nginx in front of a stock server: client_max_body_size 99m.
  maxBodyBytes: 99 * 1024 * 1024,
  before: overBudget,
  headers: budgetHeaders,
  routes: [
    { method: 'POST', path: '/api/v1/statuses', operation: publishOrComment, handle: createStatus },
    { method: 'GET', path: '/api/v1/statuses', operation: 'stats', handle: manyStatuses },
    { method: 'GET', path: '/api/v1/statuses/:id', operation: 'stats', handle: oneStatus },
    { method: 'PUT', path: '/api/v1/statuses/:id', operation: 'other', handle: editStatus },
    { method: 'DELETE', path: '/api/v1/statuses/:id', operation: 'other', handle: deleteStatus },
    { method: 'GET', path: '/api/v1/statuses/:id/context', operation: 'stats', handle: context },
    { method: 'GET', path: '/api/v1/statuses/:id/source', operation: 'other', handle: source },
    { method: 'POST', path: '/api/v1/statuses/:id/favourite', operation: 'other', handle: react('favourite', true) },
    { method: 'POST', path: '/api/v1/statuses/:id/unfavourite', operation: 'other', handle: react('favourite', false) },
    { method: 'POST', path: '/api/v1/statuses/:id/reblog', operation: 'other', handle: react('reblog', true) },
    { method: 'POST', path: '/api/v1/statuses/:id/unreblog', operation: 'other', handle: react('reblog', false) },

    { method: 'POST', path: '/api/v2/media', operation: 'upload', handle: uploadMedia },
    { method: 'POST', path: '/api/v1/media', operation: 'upload', handle: uploadMedia },
    { method: 'GET', path: '/api/v1/media/:id', operation: 'status', handle: showMedia },
    { method: 'PUT', path: '/api/v1/media/:id', operation: 'other', handle: changeMedia },
    { method: 'DELETE', path: '/api/v1/media/:id', operation: 'other', handle: deleteMedia },

    { method: 'GET', path: '/api/v1/accounts/verify_credentials', operation: 'account', handle: verifyAccount },
    { method: 'GET', path: '/api/v1/accounts/:id', operation: 'account', handle: showAccount },
    { method: 'GET', path: '/api/v1/accounts/:id/statuses', operation: 'stats', handle: accountStatuses },
    { method: 'POST', path: '/api/v1/accounts/:id/follow', operation: 'other', handle: follow(true) },
    { method: 'POST', path: '/api/v1/accounts/:id/unfollow', operation: 'other', handle: follow(false) },
    { method: 'GET', path: '/api/v2/instance', operation: 'other', handle: instanceV2 },
    { method: 'GET', path: '/api/v1/instance', operation: 'other', handle: instanceV1 },

    { method: 'POST', path: '/api/v1/apps', operation: 'other', handle: registerApp },
    { method: 'GET', path: '/api/v1/apps/verify_credentials', operation: 'account', handle: verifyApp },
    { method: 'GET', path: '/.well-known/oauth-authorization-server', operation: 'other', handle: discovery },
    { method: 'GET', path: '/oauth/authorize', operation: 'page', handle: authorize },
    { method: 'POST', path: '/oauth/authorize', operation: 'page', handle: allow },
    { method: 'POST', path: '/oauth/token', operation: 'token', handle: token },
    { method: 'POST', path: '/oauth/revoke', operation: 'other', handle: revoke },

    { method: 'GET', path: '/', operation: 'page', handle: homePage },
    { method: 'GET', path: '/@:user', operation: 'page', handle: profilePage },
    { method: 'GET', path: '/@:user/:id', operation: 'page', handle: statusPage },
    { method: 'GET', path: '/users/:user/statuses/:id', operation: 'page', handle: statusPage },
    { method: 'GET', path: '/statuses/:id', operation: 'page', handle: statusPage },
    { method: 'GET', path: '/system/accounts/avatars/:id/original/avatar.svg', operation: 'page', handle: avatar },
    { method: 'GET', path: '/system/media_attachments/files/:id/original/:name', operation: 'page', handle: mediaFile },
  ],
};

/** A comment is a status too, so a fault on `publish` hits it as well. */
function publishOrComment(call: Call): readonly Operation[] {
  return asText(call.body.fields.in_reply_to_id) === '' ? ['publish'] : ['comment', 'publish'];
}
