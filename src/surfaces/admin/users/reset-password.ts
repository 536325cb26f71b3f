import { makeResetLink } from '../../../features/accounts/recovery/password-reset.ts';
import { operatorActor } from '../../../features/audit/actors.ts';
import { adminCommand, type Common, userOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
}

export const resetPassword = () =>
  adminCommand('reset-password', {
    about: 'Create a link that lets a user set a new password.',
    more: 'The link works once, within one hour. Give it to the user, because it is not sent by email.',
    example: '--user ada@example.com',
  })
    .addOption(userOption())
    .action((options: Options) =>
      withCore(async (core) => {
        const { id } = await requireUser(core, options.user);
        const { userId, email, link, expiresAt } = await makeResetLink(core, id, operatorActor());
        const end = expiresAt.toISOString();
        printResult(options, { userId, email, link, expiresAt: end }, [
          `${email} can set a new password until ${end}.`,
          `Link  ${link}  (shown only once)`,
        ]);
      }),
    );
