import type { Route, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { allow, authorize } from './consent.ts';
import { errors } from './errors.ts';
import { apiHost, imageHost, servesHost, siteHost } from './hosts.ts';
import { avatar, homePage, profilePage } from './pages.ts';
import { token } from './token-endpoint.ts';
import { userAccount } from './user-account.ts';

/** Pinterest API v5, limited to connecting an account. Publishing is not simulated. */
export const pinterest: SandboxPlatform = {
  id: 'pinterest',
  name: 'Pinterest',
  servesHost,
  errors,
  accounts,
  routes: [
    at(apiHost, { method: 'POST', path: '/v5/oauth/token', operation: 'token', handle: token }),
    at(apiHost, { method: 'GET', path: '/v5/user_account', operation: 'account', handle: userAccount }),
    at(siteHost, { method: 'GET', path: '/oauth/', operation: 'page', handle: authorize }),
    at(siteHost, { method: 'POST', path: '/oauth/', operation: 'page', handle: allow }),
    at(siteHost, { method: 'GET', path: '/', operation: 'page', handle: homePage }),
    at(imageHost, { method: 'GET', path: '/avatars/:id.jpg', operation: 'page', handle: avatar }),
    at(siteHost, { method: 'GET', path: '/:handle/', operation: 'page', handle: profilePage }),
  ],
};

function at(host: string, route: Route): Route {
  return { ...route, handle: (call) => (call.host === host ? route.handle(call) : errors.status(404, call)) };
}
