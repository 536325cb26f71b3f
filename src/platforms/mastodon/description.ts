import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits, limitsFor } from './limits.ts';

export const description = {
  id: 'mastodon',
  name: 'Mastodon',
  lifetime: { endsWith: 'nothing', refusedIsExpired: false },
  limits,
  limitsFor,
  settings: z.strictObject({}),
} as const satisfies Description;
