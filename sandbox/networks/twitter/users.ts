import { type Answer, json } from '../../answer.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { accounts } from './accounts.ts';
import { missing } from './errors.ts';
import { checkParameters, readNames } from './query.ts';
import { readScopes, signIn } from './sign-in.ts';

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

export function me(call: Call): Answer {
  const account = signIn(call, readScopes);
  return answerWith(call, account, account);
}

export function userById(call: Call): Answer {
  const caller = signIn(call, readScopes);
  const account = call.sandbox.store.accounts.find('twitter', call.params.id ?? '');
  return account ? answerWith(call, account, caller) : notFound('id', call.params.id ?? '');
}

export function userByName(call: Call): Answer {
  const caller = signIn(call, readScopes);
  const handle = accounts.normalize(call.params.username ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('twitter', handle);
  return account ? answerWith(call, account, caller) : notFound('username', call.params.username ?? '');
}

export function readUserFields(call: Call): string[] {
  return readNames(call, 'user.fields', userFields);
}

/** What was asked for, beside the three that are always there. */
export function presentUser(call: Call, account: Account, caller: Account, fields: readonly string[]) {
  const parts: Record<string, () => unknown> = {
    created_at: () => new Date(account.createdAt).toISOString(),
    description: () => '',
    profile_image_url: () => account.avatarUrl,
    protected: () => false,
    public_metrics: () => metricsOf(call, account),
    // Only one's own is told.
    subscription_type: () => (account.id === caller.id ? (account.premium ? 'Premium' : 'None') : undefined),
    url: () => '',
    verified: () => account.premium,
    verified_type: () => (account.premium ? 'blue' : 'none'),
  };
  const asked = fields.map((name) => [name, parts[name]?.()]).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(asked), id: account.id, name: account.displayName, username: account.handle };
}

function answerWith(call: Call, account: Account, caller: Account): Answer {
  checkParameters(call, ['user.fields', 'tweet.fields', 'expansions']);
  return json({ data: presentUser(call, account, caller, readUserFields(call)) });
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

function notFound(parameter: string, value: string): Answer {
  return json({ errors: [missing('user', parameter, value)] });
}
