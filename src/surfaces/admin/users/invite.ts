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
    about: 'Create a link that lets one person sign up.',
    more: 'The link works once, within 7 days, and only for this address. If MAIL_URL is set, it is also sent by email.',
    example: '--email ada@example.com --plan pro',
  })
    .requiredOption('--email <email>', 'the person’s email address')
    .addOption(planOption())
    .action((options: Options) =>
      withCore(async (core) => {
        if (core.config.signUp === 'closed') {
          throw new AdminError('SIGN_UP=closed does not allow sign-up. Set SIGN_UP=invite, or use create-user.');
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

/** The sandbox accepts emails, but delivers them to no one. */
function sentTo({ mailServer }: Config, isMailed: boolean): string {
  if (!isMailed) return 'No mail is sent: give the link to the person.';
  if (mailServer) return 'The link is sent to the person by mail.';
  return 'The sandbox sends no real mail: give the link to the person. The sandbox page /mail shows the mail.';
}
