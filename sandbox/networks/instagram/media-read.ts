import { type Answer, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import { graphTime, pageOf } from '../../graph/paging.ts';
import { type Node, select } from '../../graph/selection.ts';
import { signIn, signInAs } from '../../graph/sign-in.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Media } from '../../store/media.ts';
import type { Post } from '../../store/posts.ts';
import { presentComment } from './comments.ts';
import { scopes } from './login.ts';
import { isComment, isOver, isStory, requireMedia, shortcodeOf } from './posts.ts';

/** One's own media, newest first; stories have a list of their own. */
export function ownMedia(call: Call): Answer {
  const account = signInAs(call, scopes.basic);
  const posts = call.sandbox.store.posts.newest('instagram', account.id);
  const shown = posts.filter((post) => !isComment(post) && !isStory(post));
  return pageOf(call, shown, (post) => presentMedia(call, account, post, fieldsOf(call)), { hasLinks: true });
}

export function ownStories(call: Call): Answer {
  const account = signInAs(call, scopes.basic);
  const posts = call.sandbox.store.posts.newest('instagram', account.id);
  const shown = posts.filter((post) => isStory(post) && !isOver(call, post));
  return pageOf(call, shown, (post) => presentMedia(call, account, post, fieldsOf(call)), { hasLinks: true });
}

export function childrenOfMedia(call: Call): Answer {
  const post = requireMedia(call, signIn(call, scopes.basic));
  return json({ data: filesOf(call, post).map((file) => presentChild(file, post, fieldsOf(call))) });
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
    timestamp: graphTime(post.createdAt),
    username: account.handle,
  };
  return select('IGMedia', node, fields);
}

/** A part of an album, whole unless told. */
export function presentChild(media: Media, post: Post, fields?: string): JsonObject {
  const node: Node = {
    id: media.id,
    alt_text: media.description ?? undefined,
    media_type: media.kind === 'video' ? 'VIDEO' : 'IMAGE',
    media_url: addressOf(media.id),
    permalink: post.url,
    thumbnail_url: thumbnailOf(media),
    timestamp: graphTime(post.createdAt),
  };
  return select('IGMedia', node, fields ?? Object.keys(node).join());
}

const commentFields = 'id,text,timestamp,username';

function filesOf(call: Call, post: Post): Media[] {
  return post.media.flatMap((id) => call.sandbox.store.media.find('instagram', id) ?? []);
}

function addressOf(mediaId: string): string {
  return `https://scontent.cdninstagram.com/v/t51.2885-15/${mediaId}`;
}

/** The cover where there is one; the sandbox cuts no frame out of a film. */
function thumbnailOf({ id, kind, data }: Media): string | undefined {
  return kind === 'video' ? addressOf(asText(data.cover) || id) : undefined;
}

export function fieldsOf(call: Call): string {
  return call.query.get('fields') ?? 'id';
}
