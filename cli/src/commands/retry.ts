import type { AddCommand, Context } from '../context.ts';
import { plain } from '../output.ts';
import { postIdOf } from '../post-id.ts';
import { aboutTarget, requirePublished } from '../present-post.ts';

/** Covers an attempt, and the retries if it fails again. */
const waitMs = 1_200_000;

export const addRetry: AddCommand = (program, act) => {
  program
    .command('retry')
    .description('retry networks that failed with a temporary error; nothing is published twice')
    .argument('<id>', 'id of the post, from crier list')
    .option('-w, --wait', 'wait until it is published on every network; exit code 1 if one fails')
    .addHelpText('after', '\nExamples:\n  crier retry 019a86c2f4b07d3e5f8a9b0c --wait')
    .action(
      act(async ({ service, show, out: { paint } }: Context, id: string, { wait }: { wait?: boolean }) => {
        const postGroupId = postIdOf(id);
        const crier = await service();
        const answer = await crier.retryPost({ postGroupId });
        if (!wait) {
          const lines = [
            ...answer.retried.map(({ platform }) => `${paint.green('✓')} ${platform}: tried again`),
            ...answer.notRetried.map(({ platform, message }) => plain(`  ${platform}: ${message}`)),
          ];
          show(answer, lines);
          return;
        }
        const ended = await crier.waitUntilPublished(postGroupId, { timeoutMs: waitMs });
        requirePublished(ended);
        const targets = ended.posts.map((target) => plain(`  ${target.platform}  ${aboutTarget(target)}`));
        show(ended, [`${paint.green('✓')} Published: ${paint.bold(postGroupId)}`, ...targets]);
      }),
    );
};
