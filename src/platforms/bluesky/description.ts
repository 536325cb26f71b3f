import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';

export const description = {
  id: 'bluesky',
  name: 'Bluesky',
  highlights: ['rich text', 'link cards', 'any server'],
  lifetime: { endsWith: 'nothing', refusedIsExpired: false },
  limits,
  settings: z.strictObject({}),
} as const satisfies Description;
