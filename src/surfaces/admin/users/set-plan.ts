import type { PlanKey } from '../../../config/plans.ts';
import { setPlan as changePlan } from '../../../features/accounts/operator/users.ts';
import { adminCommand, type Common, count, planOption, userOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
  plan: PlanKey;
  connections?: number;
}

const maxConnections = 1_000_000;

export const setPlan = () =>
  adminCommand('set-plan', {
    about: 'Change the plan of a user.',
    example: '--user ada@example.com --plan agency --connections 50',
  })
    .addOption(userOption())
    .addOption(planOption().makeOptionMandatory())
    .option(
      '--connections <number>',
      'number of connections purchased; default: the number included in the plan',
      count(maxConnections),
    )
    .action((options: Options) =>
      withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        const { plan, connections } = await changePlan(core, { ...options, user: id });
        const bought = connections === null ? '' : `, with ${connections} connections`;
        printResult(options, { userId: id, email, plan, connections }, [
          `${email} is now on the plan ${plan}${bought}.`,
        ]);
      }),
    );
