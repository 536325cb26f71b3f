import { enableWorkspace as allowWorkspace } from '../accounts/accounts.ts';
import { answer } from './answer.ts';
import { adminCommand, type Common, userOption } from './command.ts';
import { withCore } from './core.ts';
import { userNamed } from './user.ts';

export const enableWorkspace = () =>
  adminCommand('enable-workspace', {
    about: 'Let a user’s API keys act for the users that it manages.',
    example: '--user agency@example.com',
  })
    .addOption(userOption())
    .action((options: Common & { user: string }) =>
      withCore(async (core) => {
        const { id, email } = await userNamed(core, options.user);
        await allowWorkspace(core, { user: id });
        answer(options, { userId: id, email, workspaceEnabled: true }, [`${email} may act for the users it manages.`]);
      }),
    );
