import type { AddCommand, Context } from '../context.ts';
import { plain } from '../output.ts';
import { postIdOf } from '../post-id.ts';
import { showWhenPublished } from '../present-post.ts';

export const addRetry: AddCommand = (program, act) => {
  program
    .command('retry')
    .description('retry a post on networks where it failed temporarily; nothing is published twice')
    .argument('<id>', 'id of the post, from crier list')
    .option('-w, --wait', 'wait until it is published on every network; exit code 1 if one fails')
    .addHelpText('after', '\nExamples:\n  crier retry 019a86c2f4b07d3e5f8a9b0c --wait')
    .action(
      act(async (context: Context, id: string, { wait }: { wait?: boolean }) => {
        const postGroupId = postIdOf(id);
        const crier = await context.service();
        const answer = await crier.retryPost({ postGroupId });
        if (wait) return showWhenPublished(context, crier, postGroupId);
        const { green } = context.out.paint;
        context.show(answer, [
          ...answer.retried.map(({ platform }) => `${green('✓')} ${platform}: tried again`),
          ...answer.notRetried.map(({ platform, message }) => plain(`  ${platform}: ${message}`)),
        ]);
      }),
    );
};
