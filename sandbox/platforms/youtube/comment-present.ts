import { asText } from '../../http/coerce.ts';
import type { Call } from '../../platform.ts';
import type { Post } from '../../store/posts.ts';
import { resource } from './resources.ts';

export function presentThread(call: Call, comment: Post, parts: readonly string[]) {
  return resource('commentThread', comment.id, parts, {
    snippet: () => ({
      channelId: channelOf(call, comment),
      videoId: asText(comment.data.videoId),
      topLevelComment: presentComment(call, comment),
      canReply: true,
      totalReplyCount: 0,
      isPublic: true,
    }),
    replies: () => ({ comments: [] }),
  });
}

function presentComment(call: Call, comment: Post) {
  const { store } = call.sandbox;
  const author = store.accounts.find('youtube', comment.accountId);
  return resource('comment', comment.id, ['snippet'], {
    snippet: () => ({
      channelId: channelOf(call, comment),
      videoId: asText(comment.data.videoId),
      // `textDisplay` is HTML; `textOriginal` is the text as written.
      textDisplay: toMarkup(comment.text),
      textOriginal: comment.text,
      authorDisplayName: `@${author?.handle ?? ''}`,
      authorProfileImageUrl: author?.avatarUrl ?? '',
      authorChannelId: { value: comment.accountId },
      canRate: true,
      viewerRating: 'none',
      likeCount: store.reactions.counts(comment).like ?? 0,
      publishedAt: new Date(comment.createdAt).toISOString(),
      updatedAt: new Date(comment.createdAt).toISOString(),
    }),
  });
}

function channelOf(call: Call, comment: Post): string {
  return call.sandbox.store.posts.find('youtube', asText(comment.data.videoId))?.accountId ?? '';
}

function toMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\n', '<br>');
}
