import { z } from 'zod';

export const DashboardSettings = z
  .object({
    signUp: z
      .enum(['open', 'invite', 'closed'])
      .describe('Who can make an account: everybody, people with an invitation, or nobody.'),
    verifiesEmail: z.boolean().describe('A new account begins with a link in a mail.'),
    passwordResetByMail: z.boolean().describe('False: the operator makes the link.'),
    passkeys: z.object({
      offered: z.boolean(),
      reason: z.string().nullable().describe('Why they are not offered, in words.'),
    }),
    sandboxUrl: z
      .string()
      .nullable()
      .describe('Where the sandbox shows its networks. Null: posts go to the real ones.'),
    version: z.string(),
  })
  .meta({ id: 'DashboardSettings', description: 'What a page must know before anybody has signed in.' });

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
