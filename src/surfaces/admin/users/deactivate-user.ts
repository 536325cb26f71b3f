import {
  activateUser as activate,
  deactivateUser as deactivate,
} from '../../../features/accounts/operator/switches.ts';
import { adminCommand, type Common, userOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
}

export const deactivateUser = () =>
  adminCommand('deactivate-user', {
    about: 'Deactivate an account without deleting its data.',
    more:
      'The user cannot sign in, the API keys of the user and of their managed users stop working, and nothing is published for them. Managed users with a password can still sign in and leave the workspace. ' +
      'To undo this, use activate-user: posts that were due less than 24 hours ago are then published, and older ones fail.',
    example: '--user ada@example.com',
  })
    .addOption(userOption())
    .action((options: Options) =>
      withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        await deactivate(core, id);
        printResult(options, { userId: id, email, isActive: false }, [`${email} is deactivated.`]);
      }),
    );

export const activateUser = () =>
  adminCommand('activate-user', { about: 'Reactivate a deactivated account.', example: '--user ada@example.com' })
    .addOption(userOption())
    .action((options: Options) =>
      withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        await activate(core, id);
        printResult(options, { userId: id, email, isActive: true }, [`${email} is active.`]);
      }),
    );
