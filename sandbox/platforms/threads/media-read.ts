import { authenticate, authenticateAs } from '../../graph/authenticate.ts';
import { type Node, select } from '../../graph/field-selection.ts';
import { formatTime, pageOf } from '../../graph/paging.ts';
import { asText } from '../../http/coerce.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Media } from '../../store/media.ts';
import type { Post } from '../../store/posts.ts';
import { scopes } from './login.ts';
import { isReply, requireVisible, rootOf } from './posts.ts';

/** The caller's own posts, newest first. Replies have their own list. */
export function ownThreads(call: Call): HttpResponse {
  const account = authenticateAs(call, scopes.basic);
  const posts = call.sandbox.store.posts.newest('threads', account.id).filter((post) => !isReply(post));
  return pageOf(call, posts, (post) => presentPost(call, account, post, fieldsOf(call)));
}

/** For an account id, lists all replies that the account wrote. For a post id, lists its direct replies. */
export function replies(call: Call): HttpResponse {
  const account = authenticate(call, scopes.basic, scopes.readReplies);
  const { id = '' } = call.params;
  const { posts } = call.sandbox.store;
  const isAccount = id === 'me' || id === account.id;
  const found = isAccount
    ? posts.newest('threads', account.id).filter(isReply)
    : inOrder(call, posts.replies(requireVisible(call, account)));
  return pageOf(call, found, (post) => presentPost(call, account, post, fieldsOf(call)));
}

/** Lists all replies below a post, without nesting. */
export function conversation(call: Call): HttpResponse {
  const account = authenticate(call, scopes.basic, scopes.readReplies);
  const below = (post: Post): Post[] =>
    call.sandbox.store.posts.replies(post).flatMap((reply) => [reply, ...below(reply)]);
  const found = inOrder(
    call,
    below(requireVisible(call, account)).toSorted((a, b) => a.createdAt - b.createdAt),
  );
  return pageOf(call, found, (post) => presentPost(call, account, post, fieldsOf(call)));
}

export function presentPost(call: Call, account: Account, post: Post, fields: string): JsonObject {
  const { accounts, posts, media } = call.sandbox.store;
  const author = accounts.find('threads', post.accountId);
  const files = post.media.flatMap((id) => media.find('threads', id) ?? []);
  const [file] = files;
  const isAlbum = post.data.mediaType === 'CAROUSEL_ALBUM';
  const root = isReply(post) ? rootOf(call, post) : undefined;
  const node: Node = {
    id: post.id,
    alt_text: file?.description ?? undefined,
    children: isAlbum ? { data: files.map((one) => presentFile(one)) } : undefined,
    gif_url: undefined,
    has_replies: () => posts.replyCount(post) > 0,
    hide_status: 'NOT_HUSHED',
    is_quote_post: typeof post.data.quoted === 'string',
    is_reply: isReply(post),
    is_reply_owned_by_me: isReply(post) ? post.accountId === account.id : undefined,
    is_verified: false,
    link_attachment_url: asText(post.data.link) || undefined,
    media_product_type: 'THREADS',
    media_type: post.data.mediaType,
    media_url: file && addressOf(file),
    owner: post.accountId === account.id ? { id: account.id } : undefined,
    permalink: post.url,
    poll_attachment: post.data.poll ?? undefined,
    profile_picture_url: author?.avatarUrl ?? undefined,
    quoted_post: reference(post.data.quoted),
    replied_to: reference(post.inReplyTo),
    reply_audience: asText(post.data.replyControl).toUpperCase() || undefined,
    reposted_post: undefined,
    root_post: root && { id: root.id },
    shortcode: post.data.shortcode,
    text: post.text === '' ? undefined : post.text,
    thumbnail_url: file?.kind === 'video' ? addressOf(file) : undefined,
    timestamp: formatTime(post.createdAt),
    topic_tag: topicOf(post),
    username: author?.handle,
  };
  return select('ThreadsMedia', node, fields);
}

/** An item of an album, with all its fields by default. */
export function presentFile(media: Media, fields?: string): JsonObject {
  const node: Node = {
    id: media.id,
    alt_text: media.description ?? undefined,
    media_type: media.kind === 'video' ? 'VIDEO' : 'IMAGE',
    media_url: addressOf(media),
    thumbnail_url: media.kind === 'video' ? addressOf(media) : undefined,
    timestamp: formatTime(media.createdAt),
  };
  return select('ThreadsMedia', node, fields ?? Object.keys(node).join());
}

export function fieldsOf(call: Call): string {
  return call.query.get('fields') ?? 'id';
}

/** Newest first, unless `reverse=false`. */
function inOrder(call: Call, posts: Post[]): Post[] {
  return call.query.get('reverse') === 'false' ? posts : posts.toReversed();
}

function reference(id: unknown): JsonObject | undefined {
  return typeof id === 'string' ? { id } : undefined;
}

/** Without an explicit topic, the first tag of the text is the topic. */
function topicOf(post: Post): string | undefined {
  return asText(post.data.topicTag) || /(?<!\S)#([^\s#.&]+)/.exec(post.text)?.[1];
}

function addressOf(media: Media): string {
  return `https://scontent.cdninstagram.com/v/t51.82787-15/${media.id}`;
}
