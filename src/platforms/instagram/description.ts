import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';
import { attachedImage, settingRules, settings } from './settings.ts';

export const description = {
  id: 'instagram',
  name: 'Instagram',
  highlights: ['Reels', 'Stories'],
  lifetime: { endsWith: 'access_token', refusedIsExpired: true },
  limits,
  settings,
  settingRules,
  attachedImage,
} as const satisfies Description<typeof settings>;
