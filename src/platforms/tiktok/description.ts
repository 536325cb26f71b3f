import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';
import { options, siteFiles } from './operator-options.ts';
import { settingRules, settings } from './settings.ts';

export const description = {
  id: 'tiktok',
  name: 'TikTok',
  highlights: ['privacy and brand settings'],
  lifetime: { endsWith: 'refresh_token', refusedIsExpired: true },
  limits,
  settings,
  quietSettings: { viewerSetting: 'SELF_ONLY' },
  settingRules,
  options,
  siteFiles,
} as const satisfies Description<typeof settings>;
