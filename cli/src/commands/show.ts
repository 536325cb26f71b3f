import type { AddCommand, Context } from '../context.ts';
import { postIdOf } from '../post-id.ts';
import { postLines } from '../present-post.ts';

export const addShow: AddCommand = (program, act) => {
  program
    .command('show')
    .description('show a post and its status on each network')
    .argument('<id>', 'id of the post, from crier list')
    .option('--tz <zone>', 'time zone of the times shown')
    .addHelpText('after', '\nExamples:\n  crier show 019a86c2f4b07d3e5f8a9b0c')
    .action(
      act(async ({ service, show, moment, out: { paint } }: Context, id: string, { tz }: { tz?: string }) => {
        const postGroupId = postIdOf(id);
        const { timeZone } = moment(tz);
        const post = await (await service()).getPost({ postGroupId });
        show(post, postLines(post, paint, timeZone));
      }),
    );
};
