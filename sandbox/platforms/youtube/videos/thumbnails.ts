import { file, type HttpResponse, json } from '../../../http/http-response.ts';
import { sniff } from '../../../media/sniff.ts';
import { avatarImage } from '../../../pages/avatar.ts';
import type { Call } from '../../../platform.ts';
import { isVerified } from '../accounts.ts';
import { errors, refuse } from '../errors.ts';
import { etagOf } from '../resources.ts';
import { authenticateChannel } from '../sign-in/authenticate.ts';
import { uploading } from '../sign-in/scopes.ts';
import { thumbnailsOf } from './present.ts';
import { findVideo, ownVideo, saveVideo } from './videos.ts';

const maxBytes = 50 * 1024 * 1024;
const minWidth = 640;
const imageTypes = ['image/jpeg', 'image/png'];

export async function setThumbnail(call: Call): Promise<HttpResponse> {
  const account = authenticateChannel(call, uploading);
  const videoId = call.query.get('videoId') ?? '';
  if (videoId === '') refuse('required', { message: 'Required parameter: videoId', location: 'videoId' });
  ownVideo(call, account, videoId);
  if (!isVerified(account)) {
    const message = "The authenticated user doesn't have permissions to upload and set custom video thumbnails.";
    refuse('forbidden', { message });
  }
  const { stored } = call.body;
  if (!stored || stored.bytes === 0) {
    refuse('mediaBodyRequired', { message: 'The request does not include the image content.' });
  }
  if (stored.bytes > maxBytes) refuse('uploadTooLarge', { message: `Media is too large. Limit: ${maxBytes}` });
  const found = sniff(await call.sandbox.store.files.head(stored.sha256));
  if (!found || !imageTypes.includes(found.type) || (found.width ?? minWidth) < minWidth) refuse('invalidImage');
  const thumbnail = { sha256: stored.sha256, type: found.type };
  saveVideo(call.sandbox, { ...ownVideo(call, account, videoId), thumbnail });
  const items = [thumbnailsOf(videoId)];
  return json({ kind: 'youtube#thumbnailSetResponse', etag: etagOf(thumbnail), items });
}

/** Serves the same image for every size. */
export function showThumbnail(call: Call): HttpResponse {
  const video = findVideo(call.sandbox, call.params.id ?? '');
  if (!video) return errors.status(404, call);
  const { thumbnail, metadata } = video;
  return thumbnail
    ? file(call.sandbox.store.files.path(thumbnail.sha256), thumbnail.type)
    : avatarImage(metadata.title);
}
