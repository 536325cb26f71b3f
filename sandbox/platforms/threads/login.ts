import type { Login } from '../../graph/login.ts';

export const scopes = {
  basic: 'threads_basic',
  publish: 'threads_content_publish',
  manageReplies: 'threads_manage_replies',
  readReplies: 'threads_read_replies',
  insights: 'threads_manage_insights',
  remove: 'threads_delete',
  search: 'threads_keyword_search',
  mentions: 'threads_manage_mentions',
};

export const login: Login = {
  platform: 'threads',
  scopes: [
    scopes.basic,
    scopes.publish,
    scopes.manageReplies,
    scopes.readReplies,
    scopes.insights,
    scopes.remove,
    scopes.search,
    scopes.mentions,
    'threads_location_tagging',
    'threads_profile_discovery',
    'threads_share_to_instagram',
  ],
  grants: { exchange: 'th_exchange_token', refresh: 'th_refresh_token' },
  tokenPrefix: 'THAA',
  /** A person whose handle contains `noreply` does not grant the permission to reply. */
  granted: ({ handle }, asked) =>
    handle.includes('noreply') ? asked.filter((scope) => scope !== scopes.manageReplies) : asked,
  present: () => ({}),
};
