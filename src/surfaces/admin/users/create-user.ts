import type { PlanKey } from '../../../config/plans.ts';
import { createUser as addUser } from '../../../features/accounts/operator/users.ts';
import { adminCommand, type Common, planOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';

interface Options extends Common {
  email: string;
  password: string;
  plan?: PlanKey;
}

export const createUser = () =>
  adminCommand('create-user', {
    about: 'Create an account with a first API key.',
    example: '--email ada@example.com --password "correct horse" --plan pro',
  })
    .requiredOption('--email <email>', 'the email address to sign in with')
    .requiredOption('--password <password>', '8 to 128 characters')
    .addOption(planOption())
    .action((options: Options) =>
      withCore(async (core) => {
        const { email, password, plan } = options;
        const user = await addUser(core, { email, password, plan });
        printResult(options, { userId: user.id, email: user.email, apiKey: user.apiKey }, [
          `${user.email} has an account on the plan ${user.plan}.`,
          `User id  ${user.id}`,
          `API key  ${user.apiKey}  (shown only once)`,
        ]);
      }),
    );
