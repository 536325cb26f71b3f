import { createInterface } from 'node:readline/promises';
import type { AddCommand, Context } from '../context.ts';
import { wrongUse } from '../failures.ts';
import { postIdOf } from '../post-id.ts';

export const addDelete: AddCommand = (program, act) => {
  program
    .command('delete')
    .description('delete a post and its files; published posts stay on the networks')
    .argument('<id>', 'id of the post, from crier list')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', '\nExamples:\n  crier delete 019a86c2f4b07d3e5f8a9b0c --yes')
    .action(
      act(async ({ service, show, out }: Context, id: string, { yes }: { yes?: boolean }) => {
        const postGroupId = postIdOf(id);
        const crier = await service();
        if (!yes && !(await confirm(`Delete the post ${postGroupId}? [y/N] `, out.isJson))) {
          show({ postGroupId, deleted: false }, ['Nothing was deleted.']);
          return;
        }
        await crier.deletePost({ postGroupId });
        show({ postGroupId, deleted: true }, [`${out.paint.green('✓')} Deleted: ${postGroupId}`]);
      }),
    );
};

/** Asks the user. Without a terminal, deletes nothing. */
async function confirm(question: string, isJson: boolean): Promise<boolean> {
  if (isJson || !process.stdin.isTTY) throw wrongUse('Deleting needs confirmation.', 'Add --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
