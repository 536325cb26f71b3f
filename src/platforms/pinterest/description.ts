import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';

export const description = {
  id: 'pinterest',
  name: 'Pinterest',
  lifetime: { endsWith: 'access_token', refusedIsExpired: true },
  limits,
  settings: z.strictObject({}),
} as const satisfies Description;
