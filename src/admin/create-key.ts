import { createKey as makeKey } from '../accounts/accounts.ts';
import { adminCommand, type Common, userOption } from './command.ts';
import { printResult } from './print-result.ts';
import { requireUser } from './require-user.ts';
import { withCore } from './with-core.ts';

interface Options extends Common {
  user: string;
  name?: string;
}

export const createKey = () =>
  adminCommand('create-key', {
    about: 'Create another API key.',
    example: '--user ada@example.com --name "Nightly job"',
  })
    .addOption(userOption())
    .option('--name <name>', 'a name for the key, at most 100 characters')
    .action((options: Options) =>
      withCore(async (core) => {
        const { id: user, email } = await requireUser(core, options.user);
        const key = await makeKey(core, { ...options, user });
        printResult(options, { keyId: key.id, apiKey: key.rawKey }, [
          `${email} has a new API key, "${key.name}".`,
          `Key id   ${key.id}`,
          `API key  ${key.rawKey}  (shown only once)`,
        ]);
      }),
    );
