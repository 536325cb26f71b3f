import { z } from 'zod';
import { optionalChoice } from '../kit/index.ts';

export const settings = z.strictObject({
  replyControl: optionalChoice('everyone', 'accounts_you_follow', 'mentioned_only')
    .default('')
    .meta({ title: 'Who can reply', description: 'If not set, the default of the account applies.' }),
});
