import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { randomName } from '../../store/apps.ts';
import type { Post } from '../../store/posts.ts';
import { presentThread } from './comment-present.ts';
import { refuse } from './errors.ts';
import { readParts } from './resources.ts';
import { authenticateChannel } from './sign-in/authenticate.ts';
import { commenting } from './sign-in/scopes.ts';
import { objectIn } from './videos/metadata.ts';
import { findVideo, isVisibleTo, privacyOf, type Video } from './videos/videos.ts';

const maxCharacters = 10_000;

/** A comment on a video. YouTube calls it the top-level comment of a thread. */
export function createThread(call: Call): HttpResponse {
  const account = authenticateChannel(call, commenting);
  const parts = readParts(call, ['snippet', 'replies']);
  const snippet = objectIn(call.body.fields, 'snippet');
  const text = readText(objectIn(objectIn(snippet, 'topLevelComment'), 'snippet').textOriginal);
  const video = findCommentableVideo(call, account, asText(snippet.videoId));
  return json(presentThread(call, addComment(call, account, video, text), parts));
}

function readText(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') refuse('commentTextRequired');
  if (Array.from(value).length > maxCharacters) refuse('commentTextTooLong');
  return value;
}

/** Private videos and videos made for children take no comments. */
function findCommentableVideo(call: Call, account: Account, id: string): Video {
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

function addComment(call: Call, account: Account, video: Video, text: string): Post {
  const id = `Ug${randomName(18)}4AaABAg`;
  return call.sandbox.store.posts.add(call, {
    id,
    accountId: account.id,
    text,
    media: [],
    inReplyTo: video.id,
    url: `https://www.youtube.com/watch?v=${video.id}&lc=${id}`,
    createdAt: call.sandbox.now(),
    data: { kind: 'comment', videoId: video.id },
  });
}
