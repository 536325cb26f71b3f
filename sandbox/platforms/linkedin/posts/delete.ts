import { asText } from '../../../http/coerce.ts';
import { empty, type HttpResponse } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { denied, invalidPath } from '../errors.ts';
import { isPage } from '../members.ts';
import { authenticate, type Caller, mayActFor, requireScope } from '../sign-in/authenticate.ts';
import { publishing } from '../sign-in/scopes.ts';
import { authorOf, findPost, isEntityUrn } from './posts.ts';

/** Deleting a post that does not exist succeeds. */
export function deletePost(call: Call): HttpResponse {
  const caller = authenticate(call);
  const urn = call.params.urn ?? '';
  if (!isEntityUrn(urn)) invalidPath();
  requireScope(call, caller, [...publishing.member, ...publishing.page], 'posts.DELETE');
  const post = findPost(call, urn);
  if (!post) return empty();
  requireOwn(call, caller, post, 'posts.DELETE');
  removeReshare(call, post);
  removeWithReplies(call, post);
  return empty();
}

export function removeWithReplies(call: Call, post: Post): void {
  const { posts } = call.sandbox.store;
  for (const reply of posts.replies(post)) removeWithReplies(call, reply);
  posts.remove(post);
}

function removeReshare(call: Call, post: Post): void {
  const { posts, reactions } = call.sandbox.store;
  const parent = posts.find('linkedin', asText(post.data.parent));
  if (parent) reactions.remove(parent, post.id, 'RESHARE');
}

function requireOwn(call: Call, caller: Caller, post: Post, resource: string): void {
  const scopes = isPage(authorOf(call, post)) ? publishing.page : publishing.member;
  requireScope(call, caller, scopes, resource);
  if (!mayActFor(call, caller, post.accountId)) denied(call, resource);
}
