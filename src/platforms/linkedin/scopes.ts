import { PlatformError } from '../kit/index.ts';
import type { Credentials } from './api.ts';

/** Which scopes permit which action, as a member and as a page. Any one of them is enough. */
const permissions = {
  'read the profile': both(['r_basicprofile']),
  'read the name': both(['openid', 'profile']),
  'list pages': both([
    'rw_organization_admin',
    'r_organization_admin',
    'r_organization_social',
    'w_organization_social',
  ]),
  publish: { member: ['w_member_social'], page: ['w_organization_social'] },
  'comment and react': { member: ['w_member_social_feed'], page: ['w_organization_social_feed'] },
  'read comments and reactions': {
    member: ['r_member_social_feed'],
    page: ['r_organization_social_feed', 'r_organization_social', 'r_member_social_feed'],
  },
  'read the statistics of posts': {
    member: ['r_member_postAnalytics'],
    page: ['r_organization_social', 'rw_organization_admin', 'r_organization_admin'],
  },
  'read followers': {
    member: ['r_member_profileAnalytics'],
    page: ['rw_organization_admin', 'r_organization_admin', 'r_organization_followers', 'r_organization_social'],
  },
} as const satisfies Record<string, { member: readonly string[]; page: readonly string[] }>;
type Action = keyof typeof permissions;

export type Granted = Pick<Credentials, 'scopes' | 'organizationId'>;

/** False only if the connection certainly lacks the permission: LinkedIn decides the rest. */
export function mayPermit(action: Action, granted: Granted): boolean {
  const { scopes = [] } = granted;
  return scopes.length === 0 || scopesFor(action, granted).some((scope) => scopes.includes(scope));
}

/** Throws before a call that LinkedIn would refuse. */
export function requirePermission(action: Action, granted: Granted): void {
  if (mayPermit(action, granted)) return;
  const message = `This LinkedIn connection is not allowed to ${action}. Reconnect the account and allow it there.`;
  const reason = `LinkedIn granted none of these scopes: ${scopesFor(action, granted).join(', ')}`;
  throw new PlatformError('rejected', message, { status: 403, reason });
}

function scopesFor(action: Action, { organizationId }: Granted): readonly string[] {
  const { member, page } = permissions[action];
  return organizationId === null ? member : page;
}

function both<const Scopes extends readonly string[]>(scopes: Scopes) {
  return { member: scopes, page: scopes };
}
