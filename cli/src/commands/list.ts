import type { CompactPostGroup, ListedPostGroup, ListPostsInput } from '@crier/client';
import { InvalidArgumentError, Option } from 'commander';
import type { AddCommand, Context } from '../context.ts';
import { table } from '../output.ts';
import { shorten, statusCell } from '../present-post.ts';
import { showTime } from '../time-zone.ts';

interface ListOptions {
  status?: NonNullable<ListPostsInput['status']>;
  network?: string;
  label?: string;
  limit: number;
  tz?: string;
}

type ListedPost = ListedPostGroup | CompactPostGroup;

const statuses = ['draft', 'scheduled', 'published', 'failed', 'partially_published'];

export const addList: AddCommand = (program, act) => {
  program
    .command('list')
    .description('list your posts, newest first')
    .addOption(new Option('-s, --status <status>', 'only these').choices(statuses))
    .option('-n, --network <network>', 'only posts to this network')
    .option('--label <name>', 'only posts with this label')
    .option('-l, --limit <count>', 'how many', countOf, 20)
    .option('--tz <zone>', 'time zone of the times shown')
    .addHelpText(
      'after',
      '\nExamples:\n  crier list\n  crier list --status failed --limit 5\n  crier list --network mastodon --json',
    )
    .action(
      act(
        async (
          { service, show, moment, out: { paint } }: Context,
          { status, network, label, limit, tz }: ListOptions,
        ) => {
          const { timeZone } = moment(tz);
          const crier = await service();
          const posts: ListedPost[] = [];
          const filter = {
            ...(status && { status }),
            ...(network && { platform: network === 'x' ? 'twitter' : network }),
            ...(label && { label }),
          };
          for await (const post of crier.listPosts({ ...filter, limit: Math.min(limit, 100) })) {
            posts.push(post);
            if (posts.length >= limit) break;
          }
          const rows = posts.map((post) => [
            post.postGroupId,
            statusCell(post.status, paint),
            showTime(timeZone, post.scheduledTime),
            [...new Set(post.platforms.map(({ platform }) => platform))].join(','),
            shorten(post.content, 60),
          ]);
          const empty = ['No posts found.'];
          show({ posts }, rows.length > 0 ? table(['ID', 'STATUS', 'TIME', 'NETWORKS', 'TEXT'], rows, paint) : empty);
        },
      ),
    );
};

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('Write a number greater than 0.');
}
