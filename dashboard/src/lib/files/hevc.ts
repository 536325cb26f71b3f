import { platformName } from '../platform-name.ts';

/** How a video in HEVC (H.265), as iPhones record it, will fare. Crier doesn't convert videos. */

/** By the networks' documentation. The others don't say. */
const accepting = ['facebook', 'instagram', 'threads', 'tiktok', 'youtube'];
const refusing = ['twitter'];

export interface HevcAdvice {
  /** `refused`: a network can't publish it. `unsure`: the author decides. */
  readonly kind: 'fine' | 'unsure' | 'refused';
  readonly message: string;
}

const remedy =
  'Export it as H.264, for example in Photos or iMovie. For new videos on an iPhone, choose Settings → Camera → Formats → Most Compatible.';

/** What to say about the video before it is uploaded, for posts to these platforms. */
export function hevcAdvice(platforms: readonly string[], canPlay: boolean): HevcAdvice {
  const refused = platforms.filter((one) => refusing.includes(one));
  const unknown = platforms.filter((one) => !refusing.includes(one) && !accepting.includes(one));
  if (refused.length > 0) {
    const names = listed(refused);
    return { kind: 'refused', message: `An HEVC video, which ${names} can’t publish. ${remedy} Or deselect ${names}.` };
  }
  if (platforms.length === 0) {
    const message = `An HEVC video. ${listed(accepting)} accept it, ${listed(refusing)} doesn’t, and other networks may reject it. ${remedy}`;
    return { kind: 'unsure', message };
  }
  if (unknown.length > 0) {
    return { kind: 'unsure', message: `An HEVC video, which ${listed(unknown)} may reject. ${remedy}` };
  }
  if (canPlay) return { kind: 'fine', message: '' };
  const message = `An HEVC video. ${listed(platforms)} can publish it, but this browser can’t show it in previews. ${remedy}`;
  return { kind: 'unsure', message };
}

export const canPlayHevc = (): boolean =>
  document.createElement('video').canPlayType('video/mp4; codecs="hvc1.1.6.L93.B0"') !== '';

const listed = (platforms: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format([...new Set(platforms)].map(platformName));
