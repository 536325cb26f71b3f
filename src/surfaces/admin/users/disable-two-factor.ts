import { operatorActor } from '../../../features/audit/actors.ts';
import { disableTwoFactorOf } from '../../../features/auth/two-factor/two-factor.ts';
import { adminCommand, type Common, userOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
}

export const disableTwoFactor = () =>
  adminCommand('disable-two-factor', {
    about: 'Turn off two-factor sign-in for a user who has lost the phone and the recovery codes.',
    more: 'First verify that the request comes from the user. The user gets an email and can sign in with the password alone.',
    example: '--user ada@example.com',
  })
    .addOption(userOption())
    .action((options: Options) =>
      withCore(async (core) => {
        const { id: userId, email } = await requireUser(core, options.user);
        await disableTwoFactorOf(core, { userId, email }, operatorActor());
        printResult(options, { userId, email, twoFactor: false }, [`Two-factor sign-in of ${email} is off.`]);
      }),
    );
