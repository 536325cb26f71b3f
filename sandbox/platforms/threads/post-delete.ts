import { authenticate } from '../../graph/authenticate.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { scopes } from './login.ts';
import { requireOwn } from './posts.ts';
import { checkDeleteQuota, countDeletion } from './quota.ts';

export function deletePost(call: Call): HttpResponse {
  const account = authenticate(call, scopes.basic, scopes.remove);
  const post = requireOwn(call, account);
  checkDeleteQuota(call, account);
  call.sandbox.store.posts.remove(post);
  countDeletion(call, account, post.id);
  return json({ success: true, deleted_id: post.id });
}
