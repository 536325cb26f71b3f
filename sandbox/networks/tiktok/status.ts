import type { Answer } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { refuse, success } from './errors.ts';
import { findPublication, keep, type Publication } from './publications.ts';
import { signIn } from './sign-in.ts';

type Status = 'PROCESSING_UPLOAD' | 'PROCESSING_DOWNLOAD' | 'SEND_TO_USER_INBOX' | 'PUBLISH_COMPLETE' | 'FAILED';

export function fetchStatus(call: Call): Answer {
  const publication = findOwn(call);
  const { ending, upload, downloadedBytes } = publication;
  const now = call.sandbox.now();
  const status = statusOf(publication, now);
  const publicId = status === 'PUBLISH_COMPLETE' ? publicIdOf(call, publication) : null;
  const answer = success({
    status,
    ...(status === 'FAILED' && { fail_reason: ending?.failReason ?? 'internal' }),
    publicaly_available_post_id: publicId === null ? [] : [publicId],
    ...(upload ? { uploaded_bytes: upload.receivedBytes } : { downloaded_bytes: downloadedBytes }),
  });
  // The id is an int64, and too long for a JavaScript number to write it.
  return publicId === null
    ? answer
    : { ...answer, body: String(answer.body).replace(`["${publicId}"]`, `[${publicId}]`) };
}

/** Only what is still being pulled can be stopped. */
export function cancel(call: Call): Answer {
  const publication = findOwn(call);
  const { ending, source } = publication;
  const isRunning = ending !== null && ending.failReason === null && ending.readyAt > call.sandbox.now();
  if (source !== 'PULL_FROM_URL' || !isRunning) refuse('publish_not_cancellable');
  const { posts } = call.sandbox.store;
  const post = ending.postId === null ? undefined : posts.find('tiktok', ending.postId);
  if (post) posts.remove(post);
  const now = call.sandbox.now();
  keep(call.sandbox, {
    ...publication,
    ending: { ...ending, readyAt: now, failReason: 'publish_cancelled', postId: null },
  });
  return success({});
}

function findOwn(call: Call): Publication {
  const { account } = signIn(call, 'video.publish', 'video.upload');
  const publication = findPublication(call.sandbox, asText(call.body.fields.publish_id));
  if (!publication) refuse('invalid_publish_id');
  if (publication.accountId !== account.id) refuse('token_not_authorized_for_specified_publish_id');
  return publication;
}

function statusOf({ source, ending, isDraft }: Publication, now: number): Status {
  if (ending === null || ending.readyAt > now) {
    return source === 'FILE_UPLOAD' ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD';
  }
  if (ending.failReason !== null) return 'FAILED';
  return isDraft ? 'SEND_TO_USER_INBOX' : 'PUBLISH_COMPLETE';
}

/** Told for public posts alone, and once moderators have seen them. */
function publicIdOf(call: Call, { ending, postInfo }: Publication): string | null {
  const isPublic =
    postInfo.privacy === 'PUBLIC_TO_EVERYONE' && ending !== null && ending.publicAt <= call.sandbox.now();
  return isPublic ? ending.postId : null;
}
