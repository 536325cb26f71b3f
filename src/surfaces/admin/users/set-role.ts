import { Option } from 'commander';
import { setRole as changeRole } from '../../../features/accounts/operator/switches.ts';
import { adminCommand, type Common, userOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
  role: 'admin' | 'user';
}

export const setRole = () =>
  adminCommand('set-role', {
    about: 'Make a user an admin or a regular user.',
    more: 'API keys of an admin can manage users even without workspace access.',
    example: '--user ada@example.com --role admin',
  })
    .addOption(userOption())
    .addOption(new Option('--role <role>', 'the role').choices(['admin', 'user']).makeOptionMandatory())
    .action((options: Options) =>
      withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        await changeRole(core, id, options.role);
        printResult(options, { userId: id, email, role: options.role }, [`${email} has the role ${options.role}.`]);
      }),
    );
