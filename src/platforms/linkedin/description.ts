import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';
import { options } from './operator-options.ts';
import { settingRules, settings } from './settings.ts';

export const description = {
  id: 'linkedin',
  name: 'LinkedIn',
  highlights: ['reposts', 'company pages'],
  lifetime: { endsWith: 'access_token', refusedIsExpired: true },
  limits,
  settings,
  settingRules,
  options,
} as const satisfies Description<typeof settings>;
