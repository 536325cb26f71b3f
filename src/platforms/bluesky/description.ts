import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';

export const description = {
  id: 'bluesky',
  name: 'Bluesky',
  lifetime: { endsWith: 'nothing', refusedIsExpired: false },
  limits,
  settings: z.strictObject({}),
} as const satisfies Description;
