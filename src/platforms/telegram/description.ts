import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';
import { settingRules, settings } from './settings.ts';

export const description = {
  id: 'telegram',
  name: 'Telegram',
  highlights: ['channels', 'markup', 'albums', 'silent and protected messages'],
  lifetime: { endsWith: 'unknown', refusedIsExpired: false },
  limits,
  settings,
  quietSettings: { disableNotification: true },
  settingRules,
} as const satisfies Description<typeof settings>;
