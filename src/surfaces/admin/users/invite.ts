import type { Config } from '../../../config/config.ts';
import type { PlanKey } from '../../../config/plans.ts';
import { operatorActor } from '../../../features/audit/actors.ts';
import { invite as sendInvitation } from '../../../features/auth/sign-up/invitations.ts';
import { adminCommand, type Common, planOption } from '../command.ts';
import { AdminError } from '../error-message.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';

interface Options extends Common {
  email: string;
  plan?: PlanKey;
}

export const invite = () =>
  adminCommand('invite', {
    about: 'Make a link with which one person can sign up.',
    more: 'The link works once, within 7 days, for this address only. It is also sent by mail where MAIL_URL is set.',
    example: '--email ada@example.com --plan pro',
  })
    .requiredOption('--email <e-mail>', 'the e-mail address of the person')
    .addOption(planOption())
    .action((options: Options) =>
      withCore(async (core) => {
        if (core.config.signUp === 'closed') {
          throw new AdminError('SIGN_UP=closed lets nobody sign up. Set SIGN_UP=invite, or use create-user.');
        }
        const { email, plan } = options;
        const { expiresAt, isMailed, ...made } = await sendInvitation(core, { email, plan }, operatorActor());
        const result = { ...made, expiresAt: expiresAt.toISOString(), mailed: isMailed };
        printResult(options, result, [
          `${made.email} can sign up until ${result.expiresAt}. ${sentTo(core.config, isMailed)}`,
          `Link  ${made.link}  (shown only once)`,
        ]);
      }),
    );

/** The sandbox takes mails, and nobody gets them. */
function sentTo({ mailServer }: Config, isMailed: boolean): string {
  if (!isMailed) return 'No mail is sent: give the person the link.';
  if (mailServer) return 'The person gets a mail with the link.';
  return 'In the sandbox no mail leaves: give the person the link. The page /mail of the sandbox shows the mail.';
}
