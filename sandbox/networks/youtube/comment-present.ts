import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { resource } from './resources.ts';

export function presentThread(call: Call, comment: Post, parts: readonly string[]) {
  const replies = call.sandbox.store.posts.replies(comment);
  return resource('commentThread', comment.id, parts, {
    snippet: () => ({
      channelId: channelOf(call, comment),
      videoId: asText(comment.data.videoId),
      topLevelComment: presentComment(call, comment, ['snippet']),
      canReply: true,
      totalReplyCount: replies.length,
      isPublic: true,
    }),
    replies: () => ({ comments: replies.map((reply) => presentComment(call, reply, ['snippet'])) }),
  });
}

export function presentComment(call: Call, comment: Post, parts: readonly string[]) {
  const { store } = call.sandbox;
  const author = store.accounts.find('youtube', comment.accountId);
  const videoId = asText(comment.data.videoId);
  return resource('comment', comment.id, parts, {
    snippet: () => ({
      channelId: channelOf(call, comment),
      videoId,
      // For pages, while the original is what was written.
      textDisplay: toMarkup(comment.text),
      textOriginal: comment.text,
      ...(comment.inReplyTo !== videoId && { parentId: comment.inReplyTo }),
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
