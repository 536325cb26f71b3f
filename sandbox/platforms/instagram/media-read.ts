import { authenticateAs } from '../../graph/authenticate.ts';
import { type Node, select } from '../../graph/field-selection.ts';
import { formatTime, pageOf } from '../../graph/paging.ts';
import { asText } from '../../http/coerce.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Media } from '../../store/media.ts';
import type { Post } from '../../store/posts.ts';
import { presentComment } from './comments.ts';
import { scopes } from './login.ts';
import { isComment, isOver, isStory, shortcodeOf } from './posts.ts';

/** The caller's own media, newest first. Stories have their own list. */
export function ownMedia(call: Call): HttpResponse {
  const account = authenticateAs(call, scopes.basic);
  const posts = call.sandbox.store.posts.newest('instagram', account.id);
  const shown = posts.filter((post) => !isComment(post) && !isStory(post));
  return pageOf(call, shown, (post) => presentMedia(call, account, post, fieldsOf(call)), { hasLinks: true });
}

export function ownStories(call: Call): HttpResponse {
  const account = authenticateAs(call, scopes.basic);
  const posts = call.sandbox.store.posts.newest('instagram', account.id);
  const shown = posts.filter((post) => isStory(post) && !isOver(call, post));
  return pageOf(call, shown, (post) => presentMedia(call, account, post, fieldsOf(call)), { hasLinks: true });
}

export function presentMedia(call: Call, account: Account, post: Post, fields: string): JsonObject {
  const { posts, reactions } = call.sandbox.store;
  const files = filesOf(call, post);
  const [file] = files;
  const isAlbum = post.data.mediaType === 'CAROUSEL_ALBUM';
  const node: Node = {
    id: post.id,
    alt_text: file?.description ?? undefined,
    caption: post.text === '' ? undefined : post.text,
    children: isAlbum ? { data: files.map((one) => presentChild(one, post)) } : undefined,
    comments: () => ({ data: posts.replies(post).map((comment) => presentComment(call, comment, commentFields)) }),
    comments_count: () => posts.replyCount(post),
    ig_id: post.id,
    is_comment_enabled: post.data.isCommentEnabled,
    like_count: () => reactions.counts(post).like ?? 0,
    media_product_type: post.data.productType,
    media_type: post.data.mediaType,
    media_url: file && addressOf(file.id),
    owner: { id: account.id },
    permalink: post.url,
    shortcode: shortcodeOf(post),
    thumbnail_url: file && thumbnailOf(file),
    timestamp: formatTime(post.createdAt),
    username: account.handle,
  };
  return select('IGMedia', node, fields);
}

/** An item of an album, with all its fields by default. */
export function presentChild(media: Media, post: Post, fields?: string): JsonObject {
  const node: Node = {
    id: media.id,
    alt_text: media.description ?? undefined,
    media_type: media.kind === 'video' ? 'VIDEO' : 'IMAGE',
    media_url: addressOf(media.id),
    permalink: post.url,
    thumbnail_url: thumbnailOf(media),
    timestamp: formatTime(post.createdAt),
  };
  return select('IGMedia', node, fields ?? Object.keys(node).join());
}

const commentFields = 'id,text,timestamp,username';

export function fieldsOf(call: Call): string {
  return call.query.get('fields') ?? 'id';
}

function filesOf(call: Call, post: Post): Media[] {
  return post.media.flatMap((id) => call.sandbox.store.media.find('instagram', id) ?? []);
}

function addressOf(mediaId: string): string {
  return `https://scontent.cdninstagram.com/v/t51.2885-15/${mediaId}`;
}

/** The cover, if there is one. The sandbox extracts no frames from videos. */
function thumbnailOf({ id, kind, data }: Media): string | undefined {
  return kind === 'video' ? addressOf(asText(data.cover) || id) : undefined;
}
