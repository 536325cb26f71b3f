import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';

export const description = {
  id: 'twitter',
  name: 'Twitter/X',
  lifetime: { endsWith: 'nothing', refusedIsExpired: false },
  limits,
  /** Both paid tiers that raise it. */
  limitsFor: ({ subscriptionType }) =>
    subscriptionType === 'Premium' || subscriptionType === 'PremiumPlus'
      ? { ...limits, text: { ...limits.text, max: limits.text.premium } }
      : limits,
  settings: z.strictObject({}),
} as const satisfies Description;
