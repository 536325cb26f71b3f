import { z } from 'zod';

export const DashboardSettings = z
  .object({
    signUp: z
      .enum(['open', 'invite', 'closed'])
      .describe('Who can sign up: anyone, people with an invitation, or no one.'),
    verifiesEmail: z.boolean().describe('True: sign-up sends an email with a link that creates the account.'),
    passwordResetByMail: z.boolean().describe('False: the operator creates the link.'),
    passkeys: z.object({
      offered: z.boolean(),
      reason: z.string().nullable().describe('A sentence that explains why passkeys are not offered.'),
    }),
    sandboxUrl: z.string().nullable().describe('The URL of the sandbox. Null: posts go to the real networks.'),
    version: z.string(),
  })
  .meta({ id: 'DashboardSettings', description: 'The settings that a page needs before the user signs in.' });

export const getDashboardSettings = {
  response: {
    signUp: 'open',
    verifiesEmail: false,
    passwordResetByMail: true,
    passkeys: { offered: true, reason: null },
    sandboxUrl: 'http://127.0.0.1:3001',
    version: '0.1.0',
  },
};
