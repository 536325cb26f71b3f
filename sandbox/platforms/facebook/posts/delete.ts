import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { noObject } from '../errors.ts';
import { authenticateAsPage, requireToken } from '../sign-in/authenticate.ts';
import { findPost } from './posts.ts';

/** Deletes the comments of the post as well. */
export function deletePost(call: Call): HttpResponse {
  requireToken(call);
  const id = call.params.id ?? '';
  const post = findPost(call, id) ?? noObject(call, id);
  authenticateAsPage(call, post.accountId, 'pages_manage_posts');
  removeWithReplies(call, post);
  return json({ success: true });
}

function removeWithReplies(call: Call, post: Post): void {
  const { posts } = call.sandbox.store;
  for (const reply of posts.replies(post)) removeWithReplies(call, reply);
  posts.remove(post);
}
