import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import { forbid } from '../errors.ts';
import { authenticate, writeScopes } from '../sign-in/authenticate.ts';
import { requirePost } from './posts.ts';

export function deletePost(call: Call): HttpResponse {
  const account = authenticate(call, writeScopes);
  const post = requirePost(call, call.params.id ?? '');
  if (post.accountId !== account.id) forbid('You are not authorized to delete this Tweet.');
  const { media, posts, reactions } = call.sandbox.store;
  const quoted = posts.find('twitter', asText(post.data.quotedId));
  if (quoted) reactions.remove(quoted, post.id, 'quote');
  for (const one of post.media.flatMap((name) => media.find('twitter', name) ?? []))
    media.change(one, { postId: null });
  posts.remove(post);
  return json({ data: { deleted: true } });
}
