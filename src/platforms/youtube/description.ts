import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';
import { attachedImage, settingRules, settings } from './settings.ts';

/** The limit of channels without phone verification. */
const unverifiedSeconds = 900;

export const description = {
  id: 'youtube',
  name: 'YouTube',
  highlights: ['playlists', 'tags'],
  lifetime: { endsWith: 'nothing', refusedIsExpired: true },
  limits,
  limitsFor: ({ longUploads }) =>
    longUploads === false ? { ...limits, video: { ...limits.video, maxSeconds: unverifiedSeconds } } : limits,
  settings,
  quietSettings: { privacy: 'private' },
  settingRules,
  attachedImage,
  attachRequiresConnection: true,
} as const satisfies Description<typeof settings>;
