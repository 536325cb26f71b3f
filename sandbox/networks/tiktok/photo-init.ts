import type { Answer } from '../../answer.ts';
import { isObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { refuse, success } from './errors.ts';
import { finish, judgePhotos } from './finish.ts';
import { readPhotoInfo } from './post-info.ts';
import { whyNoPost, whyNoShare } from './posting-caps.ts';
import { startPublication } from './publications.ts';
import { checkOwnership, pull } from './pull.ts';
import { signIn } from './sign-in.ts';

const maxPhotos = 35;
const maxPhotoBytes = 20 * 1024 * 1024;

export async function initPhotos(call: Call): Promise<Answer> {
  const { fields } = call.body;
  const isDraft = fields.post_mode === 'MEDIA_UPLOAD';
  const { account } = signIn(call, isDraft ? 'video.upload' : 'video.publish');
  if (fields.media_type !== 'PHOTO') refuse('invalid_param', 'The media_type is invalid');
  if (!isDraft && fields.post_mode !== 'DIRECT_POST') refuse('invalid_param', 'The post_mode is invalid');
  const postInfo = readPhotoInfo(call, account, isDraft);
  const addresses = readAddresses(call);
  const obstacle = isDraft ? whyNoShare(call, account) : whyNoPost(call, account);
  if (obstacle) refuse(obstacle);

  const pulled = await Promise.all(addresses.map((address) => pull(call, address, maxPhotoBytes)));
  const judgement = await judgePhotos(call, pulled);
  const begun = { accountId: account.id, kind: 'photo', source: 'PULL_FROM_URL', isDraft, postInfo } as const;
  const publication = startPublication(call, begun);
  finish(call, publication, account, judgement);
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
