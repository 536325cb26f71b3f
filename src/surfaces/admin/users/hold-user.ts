import { holdUser as hold, releaseUser as release } from '../../../features/accounts/operator/switches.ts';
import { adminCommand, type Common, instant, userOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
  reason?: string;
  until?: Date;
}

export const holdUser = () =>
  adminCommand('hold-user', {
    about: 'Put an account on hold.',
    more: 'The user cannot use the dashboard. API keys keep working, and scheduled posts are published.',
    example: '--user ada@example.com --reason "Unpaid invoice" --until 2027-04-01T00:00:00Z',
  })
    .addOption(userOption())
    .option('--reason <text>', 'shown to the user')
    .option('--until <time>', 'when the hold ends; default: only with release-user', instant)
    .action((options: Options) =>
      withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        const { reason = null, until = null } = options;
        await hold(core, id, { reason, until });
        const end = until?.toISOString() ?? null;
        const result = { userId: id, email, onHold: true, holdReason: reason, holdExpiresAt: end };
        printResult(options, result, [`${email} is on hold ${end ? `until ${end}` : 'until you release it'}.`]);
      }),
    );

export const releaseUser = () =>
  adminCommand('release-user', { about: 'End the hold of an account.', example: '--user ada@example.com' })
    .addOption(userOption())
    .action((options: Options) =>
      withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        await release(core, id);
        printResult(options, { userId: id, email, onHold: false }, [`${email} is no longer on hold.`]);
      }),
    );
