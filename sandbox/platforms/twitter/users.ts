import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { checkParameters, readFields } from './query-parameters.ts';
import { authenticate, readScopes } from './sign-in/authenticate.ts';

const userFields = [
  'created_at',
  'description',
  'id',
  'name',
  'profile_image_url',
  'protected',
  'public_metrics',
  'subscription_type',
  'url',
  'username',
  'verified',
  'verified_type',
];

export function me(call: Call): HttpResponse {
  const account = authenticate(call, readScopes);
  checkParameters(call, ['user.fields', 'post.fields', 'tweet.fields', 'expansions']);
  return json({ data: presentUser(call, account, account, readUserFields(call)) });
}

export function readUserFields(call: Call): string[] {
  return readFields(call, 'user.fields', userFields);
}

/** Returns the requested fields and the three that are always present. */
export function presentUser(call: Call, account: Account, caller: Account, fields: readonly string[]) {
  const parts: Record<string, () => unknown> = {
    created_at: () => new Date(account.createdAt).toISOString(),
    description: () => '',
    profile_image_url: () => account.avatarUrl,
    protected: () => false,
    public_metrics: () => metricsOf(call, account),
    // The API shows only the caller's own subscription.
    subscription_type: () => (account.id === caller.id ? (account.premium ? 'Premium' : 'None') : undefined),
    url: () => '',
    verified: () => account.premium,
    verified_type: () => (account.premium ? 'blue' : 'none'),
  };
  const asked = fields.map((name) => [name, parts[name]?.()]).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(asked), id: account.id, name: account.displayName, username: account.handle };
}

function metricsOf(call: Call, account: Account) {
  const { posts } = call.sandbox.store;
  return {
    followers_count: 0,
    following_count: 0,
    tweet_count: posts.countOf('twitter', account.id),
    listed_count: 0,
    like_count: 0,
    media_count: posts.ofAccount('twitter', account.id).filter((post) => post.media.length > 0).length,
  };
}
