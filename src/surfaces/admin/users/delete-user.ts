import { eraseUser, type Progress } from '../../../features/account-data/erasure/erase-user.ts';
import { ownedBy } from '../../../features/accounts/operator/users.ts';
import { adminCommand, type Common, userOption } from '../command.ts';
import { UsageError } from '../error-message.ts';
import { counted, printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
  yes?: true;
}

export const deleteUser = () =>
  adminCommand('delete-user', {
    about: 'Permanently delete an account and everything it owns.',
    more:
      'Deletes connections with their credentials, posts, files, keys, sessions and webhooks. Published posts ' +
      'stay on their networks, and the audit log is kept for a year. Nothing is published after the command starts, except a ' +
      'post that is already being sent. If the command is interrupted, run it again. A user who manages other users cannot be deleted: delete those first, or have ' +
      'them leave the workspace. See also: export, deactivate-user.',
    example: '--user ada@example.com --yes',
  })
    .addOption(userOption())
    .option('--yes', 'delete without asking; otherwise the command only shows what would be deleted')
    .action((options: Options) =>
      withCore(async (core) => {
        const user = await requireUser(core, options.user);
        const { connections, postGroups, media } = await ownedBy(core, user.id);
        if (!options.yes)
          throw new UsageError(
            `${user.email} has ${counted(connections, 'connection')}, ${counted(postGroups, 'post')} and ` +
              `${counted(media, 'file')}. Nothing was deleted. Add --yes to delete all of it permanently.`,
          );
        const done = await eraseUser(core, user, (progress) => console.error(wordsOf(progress)));
        printResult(options, { userId: user.id, email: user.email, deleted: true, ...done }, [
          `${user.email} is deleted, with ${counted(done.connections, 'connection')} and ${counted(done.posts, 'post')}.`,
        ]);
      }),
    );

function wordsOf(progress: Progress): string {
  if ('connections' in progress)
    return `The account is closed, with ${counted(progress.connections, 'connection')}. Nothing more is published.`;
  if ('posts' in progress)
    return `Deleted so far: ${progress.posts.toLocaleString('en-US')} of ${counted(progress.ofPosts, 'post')}.`;
  if ('deliveries' in progress)
    return `Deleted so far: ${progress.deliveries.toLocaleString('en-US')} webhook deliveries.`;
  return `Some files are still in the storage (${progress.filesLeft.message}). A running Crier retries the deletion every minute.`;
}
