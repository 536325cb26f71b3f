import type { HttpResponse } from '../../../http/http-response.ts';
import { isObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import { refuse, success } from '../errors.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import { readPhotoInfo } from './post-info.ts';
import { checkPostingCaps } from './posting-caps.ts';
import { checkPhotos, finishPublication } from './processing.ts';
import { startPublication } from './publications.ts';
import { checkOwnership, pullFromUrl } from './pull-from-url.ts';

const maxPhotos = 35;
const maxPhotoBytes = 20 * 1024 * 1024;

export async function initPhotos(call: Call): Promise<HttpResponse> {
  const { fields } = call.body;
  const { account } = authenticate(call, 'video.publish');
  if (fields.media_type !== 'PHOTO') refuse('invalid_param', 'The media_type is invalid');
  if (fields.post_mode !== 'DIRECT_POST') refuse('invalid_param', 'The post_mode is invalid');
  const postInfo = readPhotoInfo(call, account);
  const addresses = readAddresses(call);
  const refusalCode = checkPostingCaps(call, account);
  if (refusalCode) refuse(refusalCode);

  const pulled = await Promise.all(addresses.map((address) => pullFromUrl(call, address, maxPhotoBytes)));
  const checked = await checkPhotos(call, pulled);
  const started = { accountId: account.id, kind: 'photo', source: 'PULL_FROM_URL', postInfo } as const;
  const publication = startPublication(call, started);
  finishPublication(call, publication, account, checked);
  return success({ publish_id: publication.id });
}

function readAddresses(call: Call): string[] {
  const sourceInfo = call.body.fields.source_info;
  if (!isObject(sourceInfo)) refuse('invalid_param', 'The source_info is invalid');
  const { source, photo_images: images, photo_cover_index: cover } = sourceInfo;
  if (source !== 'PULL_FROM_URL') refuse('invalid_param', 'The source is invalid');
  if (!Array.isArray(images) || images.length < 1 || images.length > maxPhotos) {
    refuse('invalid_param', `The photo_images must be 1 to ${maxPhotos} urls`);
  }
  if (typeof cover !== 'number' || !Number.isInteger(cover) || cover < 0 || cover >= images.length) {
    refuse('invalid_param', 'The photo_cover_index is invalid');
  }
  return images.map(checkOwnership);
}
