import type { PostLog } from '@crier/client';
import type { AddCommand, Context } from '../context.ts';
import { table } from '../output.ts';
import { postIdOf } from '../post-id.ts';

export const addLogs: AddCommand = (program, act) => {
  program
    .command('logs')
    .description('show the log of a post')
    .argument('<id>', 'id of the post, from crier list')
    .addHelpText('after', '\nExamples:\n  crier logs 019a86c2f4b07d3e5f8a9b0c')
    .action(
      act(async ({ service, show, out: { paint } }: Context, id: string) => {
        const postGroupId = postIdOf(id);
        const pages: PostLog[][] = [];
        const crier = await service();
        // Each page is oldest first, but the first page has the newest events.
        for (let page = 1; ; page += 1) {
          const { logs, pagination } = await crier.getPostLogs({ postGroupId, page });
          pages.unshift(logs);
          if (!pagination?.hasNextPage) break;
        }
        const logs = pages.flat();
        const rows = logs.map(({ createdAt, platform, event, error }) => [
          createdAt.slice(0, 19).replace('T', ' '),
          platform ?? '',
          event,
          error ? ([error, paint.red] as const) : '',
        ]);
        const empty = ['The log of this post is empty.'];
        show({ logs }, rows.length > 0 ? table(['TIME (UTC)', 'NETWORK', 'EVENT', 'ERROR'], rows, paint) : empty);
      }),
    );
};
