import type { PlanKey } from '../../../config/plans.ts';
import { listUsers as findUsers, type ListedUser } from '../../../features/accounts/operator/users.ts';
import { adminCommand, type Common, count, planOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { table } from '../table.ts';
import { withCore } from '../with-core.ts';

interface Options extends Common {
  search?: string;
  plan?: PlanKey;
  inactive?: true;
  limit: number;
}

export const listUsers = () =>
  adminCommand('list-users', {
    about: 'List accounts, newest first.',
    example: '--search example.com --plan pro --limit 20',
  })
    .option('--search <text>', 'part of an email address or name, or an id')
    .addOption(planOption())
    .option('--inactive', 'only deactivated accounts')
    .option('--limit <number>', 'maximum number of entries', count(10_000), 50)
    .action((options: Options) =>
      withCore(async (core) => {
        const { search, plan, inactive, limit } = options;
        const found = await findUsers(core, { search, plan, inactive, limit });
        const [users, hasMore] = [found.slice(0, limit), found.length > limit];
        printResult(options, { users, hasMore }, [
          users.length > 0 ? table(users.map(rowOf)) : 'No accounts found.',
          ...(hasMore ? [`There are more than ${limit} accounts. Raise --limit, or use --search.`] : []),
        ]);
      }),
    );

const rowOf = (user: ListedUser) => ({
  id: user.id,
  email: user.email,
  plan: user.plan,
  state: user.ownerId ? `${user.state}, managed` : user.state,
  connections: String(user.connections),
  created: user.createdAt.toISOString().slice(0, 10),
  'last sign-in': user.lastSignInAt?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
});
