import { asText } from '../../http/coerce.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { refuse, success } from './errors.ts';
import { pick, readFields } from './field-selection.ts';
import { authenticate } from './sign-in/authenticate.ts';

/** The scope that each field needs. A field without its scope fails the whole call. */
const fieldsByScope: Record<string, string[]> = {
  'user.info.basic': ['open_id', 'union_id', 'avatar_url', 'avatar_url_100', 'avatar_large_url', 'display_name'],
  'user.info.profile': ['bio_description', 'profile_deep_link', 'is_verified', 'username'],
  'user.info.stats': ['follower_count', 'following_count', 'likes_count', 'video_count'],
};
const allFields = Object.values(fieldsByScope).flat();

export function userInfo(call: Call): HttpResponse {
  const { account, scopes } = authenticate(call);
  const asked = readFields(call, allFields);
  for (const [scope, fields] of Object.entries(fieldsByScope)) {
    if (!scopes.includes(scope) && fields.some((field) => asked.includes(field))) refuse('scope_not_authorized');
  }
  return success({ user: pick(asked, presentUser(call, account)) });
}

function presentUser(call: Call, account: Account): JsonObject {
  const { posts, reactions } = call.sandbox.store;
  const own = posts.ofAccount('tiktok', account.id);
  return {
    open_id: account.id,
    union_id: asText(account.data.unionId),
    avatar_url: account.avatarUrl,
    avatar_url_100: account.avatarUrl,
    avatar_large_url: account.avatarUrl,
    display_name: account.displayName,
    bio_description: '',
    profile_deep_link: account.profileUrl,
    is_verified: account.premium,
    username: account.handle,
    follower_count: 0,
    following_count: 0,
    likes_count: own.reduce((sum, post) => sum + (reactions.counts(post).like ?? 0), 0),
    video_count: own.length,
  };
}
