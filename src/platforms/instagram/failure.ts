import { commonMeanings, type Meanings, rejected, unavailable } from '../graph/error-codes.ts';
import { GraphError, refusalReader } from '../graph/failure.ts';

export const name = 'Instagram';
const common = commonMeanings(name);
const { notFetched, throttled } = common;
export const { usedUp } = common;
const productTags = rejected('Instagram does not accept the product tags.');
const notTaken = unavailable('Instagram failed to take the media.');

/** What `error_subcode` means, whatever the code beside it (documentation and recorded answers read 2026-11). */
const bySubcode: Meanings = {
  // Reads of containers answer this now and then, although the container is there.
  33: unavailable('Instagram does not show this to the account.'),
  2207001: unavailable('Instagram is in trouble.'),
  2207003: notFetched,
  2207004: { kind: 'too_large', message: 'The image is larger than the 8 MB that Instagram takes.' },
  2207005: rejected('Instagram takes images as JPEG only.'),
  2207006: rejected('Instagram no longer has the media of this post. Publish it anew.'),
  2207008: unavailable('Instagram failed to publish the post.'),
  2207009: rejected('The image is too tall or too wide for Instagram: its ratio must be from 4:5 to 1.91:1.'),
  2207010: rejected('The text is too long for Instagram.'),
  2207020: { kind: 'unavailable', message: 'The media of the post expired at Instagram.', remedy: 'renew' },
  2207023: rejected('Instagram does not know this kind of media.'),
  2207026: rejected('Instagram does not accept the video: check its format, size and length.'),
  2207027: { kind: 'unavailable', message: 'Instagram is still at work on the media.', remedy: 'wait' },
  2207028: rejected('A carousel has from 2 to 10 items.'),
  2207032: notTaken,
  2207035: productTags,
  2207036: productTags,
  2207037: productTags,
  2207040: rejected('Instagram allows 20 tags of accounts in a post.'),
  2207042: usedUp,
  2207050: {
    kind: 'auth',
    message: 'Instagram has restricted the account. Open Instagram to see why, then connect it again.',
  },
  2207051: rejected('Instagram takes this for spam, and has blocked it. Post less often, and other words.'),
  2207052: notFetched,
  2207053: notTaken,
  2207057: rejected('The moment chosen for the cover is not in the video.'),
  2207077: notFetched,
  2207081: rejected('Instagram does not let this account publish trial reels.'),
  2207082: notTaken,
};

const byCode: Meanings = {
  ...common.byCode,
  9007: { kind: 'unavailable', message: 'Instagram is still at work on the media.', remedy: 'wait' },
  80001: throttled,
  80002: throttled,
};

export const failureIn = refusalReader({ ...common, name, bySubcode, byCode });

/** What became of a container that failed: the number is somewhere in its status. */
export function failureOfContainer(status: string): GraphError {
  const subcode = /\b2207\d{3}\b/.exec(status)?.[0];
  const meaning = bySubcode[Number(subcode)] ?? rejected('Instagram could not process the media.');
  // It is not Instagram that comes back to the same container: another may fare better.
  const remedy = meaning.kind === 'unavailable' ? 'renew' : undefined;
  return new GraphError({ ...meaning, remedy }, { reason: status || 'ERROR', mayHaveHappened: false });
}
