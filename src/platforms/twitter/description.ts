import { z } from 'zod';
import type { Description } from '../kit/index.ts';
import { limits } from './limits.ts';

export const description = {
  id: 'twitter',
  name: 'Twitter/X',
  shownName: 'X',
  lifetime: { endsWith: 'nothing', refusedIsExpired: false },
  limits,
  /** These two paid tiers raise the text limit. */
  limitsFor: ({ subscriptionType }) =>
    subscriptionType === 'Premium' || subscriptionType === 'PremiumPlus'
      ? { ...limits, text: { ...limits.text, max: limits.text.premium } }
      : limits,
  settings: z.strictObject({}),
} as const satisfies Description;
