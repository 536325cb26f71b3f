import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';

export const description = {
  id: 'facebook',
  name: 'Facebook',
  publishes: true,
  limits,
  settings: z.strictObject({}),
} as const satisfies Description;
