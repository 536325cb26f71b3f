import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits, limitsFor } from './limits.ts';

export const description = {
  id: 'mastodon',
  name: 'Mastodon',
  highlights: ['any server'],
  lifetime: { endsWith: 'nothing', refusedIsExpired: false },
  limits,
  limitsFor,
  settings: z.strictObject({}),
} as const satisfies Description;
