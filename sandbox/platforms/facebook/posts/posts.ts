import type { Json, JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Post } from '../../../store/posts.ts';
import type { Node } from '../field-selection.ts';
import { formatTime } from '../time-format.ts';
import { findVideo } from '../videos/videos.ts';

export const defaultPostFields = 'created_time,message,id';

/** A post with a video becomes visible when the video is processed. */
export function isVisible(call: Call, post: Post): boolean {
  const { media } = call.sandbox.store;
  return post.media.every((id) => {
    const found = media.find('facebook', id);
    return found === undefined || media.state(found) === 'ready';
  });
}

export function isComment(post: Post): boolean {
  return post.data.kind === 'comment';
}

/** `id` is the id of the post or of its video. */
export function findPost(call: Call, id: string): Post | undefined {
  const { posts } = call.sandbox.store;
  const post = posts.find('facebook', id) ?? posts.find('facebook', findVideo(call, id)?.postId ?? '');
  return post && isVisible(call, post) ? post : undefined;
}

export function postNode(call: Call, post: Post): Node {
  const { store } = call.sandbox;
  const page = store.accounts.find('facebook', post.accountId);
  const time = formatTime(post.createdAt);
  return {
    id: post.id,
    message: post.text === '' ? undefined : post.text,
    created_time: time,
    updated_time: post.editedAt === null ? time : formatTime(post.editedAt),
    permalink_url: post.url,
    from: page && { id: page.id, name: page.displayName },
    status_type: String(post.data.statusType ?? 'mobile_status_update'),
    is_published: true,
    is_hidden: false,
    full_picture: () => imageOf(call, post),
    attachments: () => attachmentsOf(call, post),
    link: typeof post.data.link === 'string' ? post.data.link : undefined,
    // Facebook leaves out `shares` until someone shares the post.
    shares: undefined,
    comments: ({ modifiers }) => commentsOf(call, post, modifiers.limit === '0' ? 0 : 25),
    comment_count: () => store.posts.replyCount(post),
    reactions: () => reactionsOf(call, post),
    likes: () => reactionsOf(call, post),
    like_count: () => store.reactions.counts(post).like ?? 0,
    parent: undefined,
    story: undefined,
  };
}

export function reactionCount(call: Call, post: Post): number {
  return Object.values(call.sandbox.store.reactions.counts(post)).reduce((sum, count) => sum + count, 0);
}

export function postAddress(page: Account, number: string): string {
  return `https://www.facebook.com/${page.id}/posts/${number}`;
}

function commentsOf(call: Call, post: Post, limit: number): JsonObject {
  const { store } = call.sandbox;
  const comments = store.posts.replies(post).slice(0, limit);
  const data = comments.map((comment) => {
    const page = store.accounts.find('facebook', comment.accountId);
    return {
      created_time: formatTime(comment.createdAt),
      ...(page && { from: { id: page.id, name: page.displayName } }),
      message: comment.text,
      id: comment.id,
    };
  });
  const summary = { order: 'chronological', total_count: store.posts.replyCount(post), can_comment: true };
  return { data, summary };
}

function reactionsOf(call: Call, post: Post): JsonObject {
  return { data: [], summary: { total_count: reactionCount(call, post), viewer_reaction: 'NONE' } };
}

function imageOf(call: Call, post: Post): Json | undefined {
  const [first] = post.media.flatMap((id) => call.sandbox.store.media.find('facebook', id) ?? []);
  return first?.kind === 'image' ? mediaAddress(first.id) : undefined;
}

/** Several photos form one attachment, an album that contains them. */
function attachmentsOf(call: Call, post: Post): JsonObject | undefined {
  const media = post.media.flatMap((id) => call.sandbox.store.media.find('facebook', id) ?? []);
  if (media.length === 0) return undefined;
  const data = media.map(({ id, kind }) => ({
    type: kind === 'video' ? 'video_inline' : 'photo',
    target: { id },
    media: { image: { src: mediaAddress(id) } },
  }));
  return data.length === 1
    ? { data }
    : { data: [{ type: 'album', target: { id: post.id }, media: data[0]?.media ?? null, subattachments: { data } }] };
}

function mediaAddress(id: string): string {
  return `https://www.facebook.com/photo/${id}`;
}
