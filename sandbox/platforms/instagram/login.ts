import type { Login } from '../../graph/login.ts';

export const scopes = {
  basic: 'instagram_business_basic',
  publish: 'instagram_business_content_publish',
  comments: 'instagram_business_manage_comments',
  insights: 'instagram_business_manage_insights',
};

export const login: Login = {
  platform: 'instagram',
  scopes: [scopes.basic, scopes.publish, scopes.comments, scopes.insights, 'instagram_business_manage_messages'],
  grants: { exchange: 'ig_exchange_token', refresh: 'ig_refresh_token' },
  tokenPrefix: 'IGAA',
  granted: (_, asked) => asked,
  present: ({ scope }) => ({ permissions: scope.split(' ') }),
};
