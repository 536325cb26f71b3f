import { type Answer, empty, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { randomName } from '../../store/apps.ts';
import type { Post } from '../../store/posts.ts';
import { presentComment, presentThread } from './comment-present.ts';
import { refuse } from './errors.ts';
import { objectIn } from './metadata.ts';
import { listAnswer, readParts } from './resources.ts';
import { commenting } from './scopes.ts';
import { signIn, signInChannel } from './sign-in.ts';
import { findVideo, isVisibleTo, privacyOf, type Video } from './videos.ts';

const maxCharacters = 10_000;
const threadParts = ['snippet', 'replies'];
const commentParts = ['snippet'];

export function createThread(call: Call): Answer {
  const account = signInChannel(call, commenting);
  const parts = readParts(call, threadParts);
  const snippet = objectIn(call.body.fields, 'snippet');
  const text = readText(objectIn(objectIn(snippet, 'topLevelComment'), 'snippet').textOriginal);
  const video = openVideo(call, account, asText(snippet.videoId));
  const comment = addComment(call, account, { id: `Ug${randomName(18)}4AaABAg`, text, parentId: video.id, video });
  return json(presentThread(call, comment, parts));
}

export function listThreads(call: Call): Answer {
  const account = signIn(call, commenting);
  const parts = readParts(call, threadParts);
  const video = openVideo(call, account, call.query.get('videoId') ?? '');
  const post = call.sandbox.store.posts.find('youtube', video.id);
  const newestFirst = post ? call.sandbox.store.posts.replies(post).reverse() : [];
  return listAnswer(call, 'commentThreadListResponse', newestFirst, (comment) => presentThread(call, comment, parts));
}

export function createReply(call: Call): Answer {
  const account = signInChannel(call, commenting);
  const parts = readParts(call, commentParts);
  const snippet = objectIn(call.body.fields, 'snippet');
  const text = readText(snippet.textOriginal);
  const parent = findComment(call, asText(snippet.parentId));
  const video = openVideo(call, account, asText(parent.data.videoId));
  const id = `${parent.id}.${randomName(16)}`;
  return json(presentComment(call, addComment(call, account, { id, text, parentId: parent.id, video }), parts));
}

export function listReplies(call: Call): Answer {
  signIn(call, commenting);
  const parts = readParts(call, commentParts);
  const parentId = call.query.get('parentId') ?? '';
  const ids = (call.query.get('id') ?? '').split(',').filter(Boolean);
  const { posts } = call.sandbox.store;
  const found =
    parentId === ''
      ? ids.flatMap((id) => posts.find('youtube', id) ?? []).filter(isComment)
      : posts.replies(findComment(call, parentId));
  return listAnswer(call, 'commentListResponse', found, (comment) => presentComment(call, comment, parts));
}

/** One's own, and any under one's own videos. */
export function deleteComment(call: Call): Answer {
  const account = signInChannel(call, commenting);
  const comment = findComment(call, call.query.get('id') ?? '');
  const video = findVideo(call.sandbox, asText(comment.data.videoId));
  if (comment.accountId !== account.id && video?.accountId !== account.id) refuse('forbidden');
  const { posts } = call.sandbox.store;
  for (const reply of posts.replies(comment)) posts.remove(reply);
  posts.remove(comment);
  return empty(204);
}

function readText(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') refuse('commentTextRequired');
  if (Array.from(value).length > maxCharacters) refuse('commentTextTooLong');
  return value;
}

/** There are no comments under what is private, or made for children. */
function openVideo(call: Call, account: Account, id: string): Video {
  const video = findVideo(call.sandbox, id);
  if (!video || !isVisibleTo(call.sandbox, video, account)) {
    const message =
      'The video identified by the <code><a href="/youtube/v3/docs/commentThreads/list#videoId">videoId</a></code> parameter could not be found.';
    refuse('videoNotFound', { message, location: 'videoId' });
  }
  const isOff = privacyOf(call.sandbox, video) === 'private' || video.metadata.madeForKids === true;
  if (isOff) refuse('commentsDisabled', { location: 'videoId' });
  return video;
}

interface NewComment {
  readonly id: string;
  readonly text: string;
  readonly parentId: string;
  readonly video: Video;
}

function addComment(call: Call, account: Account, { id, text, parentId, video }: NewComment): Post {
  return call.sandbox.store.posts.add(call, {
    id,
    accountId: account.id,
    text,
    media: [],
    inReplyTo: parentId,
    url: `https://www.youtube.com/watch?v=${video.id}&lc=${id}`,
    createdAt: call.sandbox.now(),
    data: { kind: 'comment', videoId: video.id },
  });
}

function findComment(call: Call, id: string): Post {
  const comment = call.sandbox.store.posts.find('youtube', id);
  if (!comment || !isComment(comment)) refuse('commentNotFound', { location: 'id' });
  return comment;
}

function isComment({ data }: Post): boolean {
  return data.kind === 'comment';
}
