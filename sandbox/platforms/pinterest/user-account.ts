import { type HttpResponse, json } from '../../http/http-response.ts';
import { accountOf, bearerToken } from '../../oauth/bearer-token.ts';
import type { Call } from '../../platform.ts';
import { refuse } from './errors.ts';
import { splitScopes } from './scopes.ts';

export function userAccount(call: Call): HttpResponse {
  const token = bearerToken(call);
  const isAlive = token?.kind === 'access' && call.sandbox.store.tokens.isAlive(token);
  const account = token && isAlive ? accountOf(call, token) : undefined;
  if (!token || !account) refuse(401);
  const isPermitted = splitScopes(token.scope).includes('user_accounts:read') && !account.suspended;
  if (!isPermitted) refuse(403, 'Not authorized to access the user account.');
  return json({
    account_type: account.premium ? 'BUSINESS' : 'PINNER',
    id: account.id,
    profile_image: account.avatarUrl,
    website_url: '',
    username: account.handle,
    about: '',
    business_name: account.premium ? account.displayName : null,
    board_count: 0,
    pin_count: 0,
    follower_count: 0,
    following_count: 0,
    monthly_views: -1,
  });
}
