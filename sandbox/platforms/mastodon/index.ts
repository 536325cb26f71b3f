import type { Operation } from '../../faults.ts';
import { asText } from '../../http/coerce.ts';
import type { Call, SandboxPlatform } from '../../platform.ts';
import { accountStatuses, accounts, showAccount, verifyAccount } from './accounts.ts';
import { errors } from './errors.ts';
import { follow } from './follows.ts';
import { servesHost } from './hosts.ts';
import { instanceV1, instanceV2 } from './instance.ts';
import { changeMedia, mediaFile, showMedia, uploadMedia } from './media.ts';
import { avatar, homePage, profilePage, statusPage } from './pages.ts';
import { checkRateLimit, rateLimitHeaders } from './rate-limits.ts';
import { react } from './reactions.ts';
import { registerApp } from './sign-in/apps.ts';
import { allow, authorize } from './sign-in/consent.ts';
import { token } from './sign-in/token-endpoint.ts';
import { createStatus } from './status-create.ts';
import { deleteStatus } from './status-delete.ts';
import { context, manyStatuses, oneStatus, source } from './status-read.ts';

/** Mastodon 4.7, limited to the calls of a publishing app. */
export const mastodon: SandboxPlatform = {
  id: 'mastodon',
  name: 'Mastodon',
  servesHost,
  errors,
  accounts,
  // The nginx of a stock server has `client_max_body_size 99m`.
  maxBodyBytes: 99 * 1024 * 1024,
  before: checkRateLimit,
  headers: rateLimitHeaders,
  routes: [
    { method: 'POST', path: '/api/v1/statuses', operation: publishOrComment, handle: createStatus },
    { method: 'GET', path: '/api/v1/statuses', operation: 'stats', handle: manyStatuses },
    { method: 'GET', path: '/api/v1/statuses/:id', operation: 'stats', handle: oneStatus },
    { method: 'DELETE', path: '/api/v1/statuses/:id', operation: 'other', handle: deleteStatus },
    { method: 'GET', path: '/api/v1/statuses/:id/context', operation: 'stats', handle: context },
    { method: 'GET', path: '/api/v1/statuses/:id/source', operation: 'other', handle: source },
    { method: 'POST', path: '/api/v1/statuses/:id/favourite', operation: 'other', handle: react('favourite') },
    { method: 'POST', path: '/api/v1/statuses/:id/reblog', operation: 'other', handle: react('reblog') },

    { method: 'POST', path: '/api/v2/media', operation: 'upload', handle: uploadMedia },
    { method: 'GET', path: '/api/v1/media/:id', operation: 'status', handle: showMedia },
    { method: 'PUT', path: '/api/v1/media/:id', operation: 'other', handle: changeMedia },

    { method: 'GET', path: '/api/v1/accounts/verify_credentials', operation: 'account', handle: verifyAccount },
    { method: 'GET', path: '/api/v1/accounts/:id', operation: 'account', handle: showAccount },
    { method: 'GET', path: '/api/v1/accounts/:id/statuses', operation: 'stats', handle: accountStatuses },
    { method: 'POST', path: '/api/v1/accounts/:id/follow', operation: 'other', handle: follow },
    { method: 'GET', path: '/api/v2/instance', operation: 'other', handle: instanceV2 },
    { method: 'GET', path: '/api/v1/instance', operation: 'other', handle: instanceV1 },

    { method: 'POST', path: '/api/v1/apps', operation: 'other', handle: registerApp },
    { method: 'GET', path: '/oauth/authorize', operation: 'page', handle: authorize },
    { method: 'POST', path: '/oauth/authorize', operation: 'page', handle: allow },
    { method: 'POST', path: '/oauth/token', operation: 'token', handle: token },

    { method: 'GET', path: '/', operation: 'page', handle: homePage },
    { method: 'GET', path: '/@:user', operation: 'page', handle: profilePage },
    { method: 'GET', path: '/@:user/:id', operation: 'page', handle: statusPage },
    { method: 'GET', path: '/users/:user/statuses/:id', operation: 'page', handle: statusPage },
    { method: 'GET', path: '/statuses/:id', operation: 'page', handle: statusPage },
    { method: 'GET', path: '/system/accounts/avatars/:id/original/avatar.png', operation: 'page', handle: avatar },
    { method: 'GET', path: '/system/media_attachments/files/:id/original/:name', operation: 'page', handle: mediaFile },
  ],
};

/** A comment is also a status, so a fault on `publish` applies to it. */
function publishOrComment(call: Call): readonly Operation[] {
  return asText(call.body.fields.in_reply_to_id) === '' ? ['publish'] : ['comment', 'publish'];
}
