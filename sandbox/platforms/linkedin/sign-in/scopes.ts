/** The scopes that the app's products allow. LinkedIn grants `r_member_social` (reading a member's posts) to no app. */
export const everyScope = [
  'openid',
  'profile',
  'email',
  'w_member_social',
  'r_basicprofile',
  'r_organization_admin',
  'rw_organization_admin',
  'r_organization_social',
  'w_organization_social',
  'r_organization_followers',
  'w_member_social_feed',
  'r_member_social_feed',
  'w_organization_social_feed',
  'r_organization_social_feed',
  'r_member_postAnalytics',
  'r_member_profileAnalytics',
];

export function unknownScope(asked: string): string | undefined {
  return splitScopes(asked).find((scope) => !everyScope.includes(scope));
}

export function splitScopes(scope: string): string[] {
  return scope.split(/[\s,]+/).filter(Boolean);
}

/** The scopes that allow an action as a member or as a page. One scope of the list is enough. */
export interface Gate {
  readonly member: readonly string[];
  readonly page: readonly string[];
}

export const publishing: Gate = { member: ['w_member_social'], page: ['w_organization_social'] };
export const engaging: Gate = { member: ['w_member_social_feed'], page: ['w_organization_social_feed'] };
export const readingEngagement: Gate = {
  member: ['r_member_social_feed'],
  page: ['r_organization_social_feed', 'r_organization_social'],
};
export const pageReading = ['r_organization_social'];
export const pageAdministration = ['rw_organization_admin', 'r_organization_admin'];
