import { type Answer, empty } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { denied, invalidPath, notFound } from './errors.ts';
import { isPage } from './members.ts';
import { readCommentary } from './post-create.ts';
import { authorOf, findPost, isEntityUrn } from './posts.ts';
import { checkFields, readPatch } from './rest-li.ts';
import { publishing } from './scopes.ts';
import { type Caller, mayActFor, requireScope, signIn } from './sign-in.ts';

/** Only the words can be changed. */
export function editPost(call: Call): Answer {
  const caller = signIn(call);
  const patch = readPatch(call);
  checkFields(patch, [], ['commentary']);
  const post = findPost(call, call.params.urn ?? '') ?? notFound(`Could not find entity: ${call.params.urn}`);
  requireOwn(call, caller, post, 'posts.PARTIAL_UPDATE');
  const commentary = asText(patch.commentary);
  const text = readCommentary(commentary);
  call.sandbox.store.posts.change(post, { text, data: { ...post.data, commentary } });
  return empty();
}

/** What is gone already is deleted with the same answer. */
export function deletePost(call: Call): Answer {
  const caller = signIn(call);
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
