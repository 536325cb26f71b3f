import { setAccess } from '../../../features/accounts/operator/switches.ts';
import { adminCommand, type Common, userOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

export const enableWorkspace = () =>
  adminCommand('enable-workspace', {
    about: 'Allow the API keys of a user to act for the users they manage.',
    example: '--user agency@example.com',
  })
    .addOption(userOption())
    .action((options: Common & { user: string }) =>
      withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        await setAccess(core, id, { workspace: true });
        printResult(options, { userId: id, email, workspaceEnabled: true }, [
          `The API keys of ${email} can now act for the users they manage.`,
        ]);
      }),
    );
