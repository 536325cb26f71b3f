import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { id, object, readJsonBody } from '../body-schema.ts';
import { refuseValue } from '../query-parameters.ts';
import { authenticate, writeScopes } from '../sign-in/authenticate.ts';
import { requirePost } from './posts.ts';

export function repost(call: Call): HttpResponse {
  const account = authenticateNamedUser(call);
  const post = requirePost(call, asText(readJsonBody(call, object({ tweet_id: id }, ['tweet_id'])).tweet_id));
  call.sandbox.store.reactions.add(post, account.id, 'repost');
  return json({ data: { retweeted: true, rest_id: post.id } });
}

function authenticateNamedUser(call: Call): Account {
  const account = authenticate(call, writeScopes);
  const named = call.params.id ?? '';
  if (named !== account.id) refuseValue('id', named, `must be the same as the authenticating user [${account.id}]`);
  return account;
}
