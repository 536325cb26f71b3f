import { type Answer, json } from '../../answer.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { invalid, noObject } from './errors.ts';
import { readMessage } from './feed-create.ts';
import { readInput } from './input.ts';
import { findPost } from './posts.ts';
import { requireToken, signInAsPage } from './sign-in.ts';

export function editPost(call: Call): Answer {
  const post = findOwn(call, 'pages_manage_posts');
  const message = readMessage(readInput(call).message);
  if (message === '') invalid('Missing message or attachment');
  call.sandbox.store.posts.change(post, { text: message });
  return json({ success: true });
}

/** Its comments go with it. */
export function deletePost(call: Call): Answer {
  const { records } = call.sandbox.store;
  const id = call.params.id ?? '';
  const draft = records.find('facebook', 'unpublished', id);
  if (draft) {
    signInAsPage(call, draft.accountId ?? '', 'pages_manage_posts');
    records.remove('facebook', 'unpublished', id);
  } else removeWithReplies(call, findOwn(call, 'pages_manage_posts'));
  return json({ success: true });
}

export function like(isOn: boolean) {
  return (call: Call): Answer => {
    const post = findOwn(call, 'pages_manage_engagement');
    const { reactions } = call.sandbox.store;
    if (isOn) reactions.add(post, post.accountId, 'like');
    else reactions.remove(post, post.accountId, 'like');
    return json({ success: true });
  };
}

function removeWithReplies(call: Call, post: Post): void {
  const { posts } = call.sandbox.store;
  for (const reply of posts.replies(post)) removeWithReplies(call, reply);
  posts.remove(post);
}

function findOwn(call: Call, permission: string): Post {
  requireToken(call);
  const id = call.params.id ?? '';
  const post = findPost(call, id) ?? noObject(call, id);
  signInAsPage(call, post.accountId, permission);
  return post;
}
