import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';

export const description = {
  id: 'facebook',
  name: 'Facebook',
  highlights: ['pages', 'link previews'],
  lifetime: { endsWith: 'nothing', refusedIsExpired: true },
  limits,
  settings: z.strictObject({}),
} as const satisfies Description;
