import { asText } from '../../../http/coerce.ts';
import type { HttpResponse } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import { refuse, success } from '../errors.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import { findPublication, type Publication } from './publications.ts';

type Status = 'PROCESSING_UPLOAD' | 'PROCESSING_DOWNLOAD' | 'PUBLISH_COMPLETE' | 'FAILED';

export function fetchStatus(call: Call): HttpResponse {
  const publication = findOwn(call);
  const { ending, upload, downloadedBytes } = publication;
  const now = call.sandbox.now();
  const status = statusOf(publication, now);
  const publicId = status === 'PUBLISH_COMPLETE' ? publicIdOf(call, publication) : null;
  const response = success({
    status,
    ...(status === 'FAILED' && { fail_reason: ending?.failReason ?? 'internal' }),
    publicaly_available_post_id: publicId === null ? [] : [publicId],
    ...(upload ? { uploaded_bytes: upload.receivedBytes } : { downloaded_bytes: downloadedBytes }),
  });
  // The API returns the id as an int64, which exceeds JavaScript's exact integers.
  return publicId === null
    ? response
    : { ...response, body: String(response.body).replace(`["${publicId}"]`, `[${publicId}]`) };
}

function findOwn(call: Call): Publication {
  const { account } = authenticate(call, 'video.publish', 'video.upload');
  const publication = findPublication(call.sandbox, asText(call.body.fields.publish_id));
  if (!publication) refuse('invalid_publish_id');
  if (publication.accountId !== account.id) refuse('token_not_authorized_for_specified_publish_id');
  return publication;
}

function statusOf({ source, ending }: Publication, now: number): Status {
  if (ending === null || ending.readyAt > now) {
    return source === 'FILE_UPLOAD' ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD';
  }
  return ending.failReason === null ? 'PUBLISH_COMPLETE' : 'FAILED';
}

/** Only public posts get a public id, and only after moderation. */
function publicIdOf(call: Call, { ending, postInfo }: Publication): string | null {
  const isPublic =
    postInfo.privacy === 'PUBLIC_TO_EVERYONE' && ending !== null && ending.publicAt <= call.sandbox.now();
  return isPublic ? ending.postId : null;
}
