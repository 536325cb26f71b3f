import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';
import { settings } from './settings.ts';

export const description = {
  id: 'threads',
  name: 'Threads',
  highlights: ['reply control'],
  lifetime: { endsWith: 'access_token', refusedIsExpired: true },
  limits,
  settings,
} as const satisfies Description<typeof settings>;
