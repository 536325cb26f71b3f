import { z } from 'zod';
import { optionalChoice } from '../kit/index.ts';

export const settings = z.strictObject({
  replyControl: optionalChoice('everyone', 'accounts_you_follow', 'mentioned_only')
    .default('')
    .meta({ title: 'Who can reply', description: 'Empty: the default of the account.' }),
});
