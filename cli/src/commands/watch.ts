import type { PlatformPost, PostGroup } from '@crier/client';
import type { AddCommand, Context } from '../context.ts';
import { plain } from '../output.ts';
import { postIdOf } from '../post-id.ts';
import { aboutTarget, requirePublished } from '../present-post.ts';

const ended = ['published', 'failed', 'partially_published'];
const marks: Partial<Record<PlatformPost['status'], string>> = { published: '✓', failed: '✗' };

export const addWatch: AddCommand = (program, act) => {
  program
    .command('watch')
    .description('follow a post until every network has published or rejected it; exit code 1 if one fails')
    .argument('<id>', 'id of the post, from crier list')
    .addHelpText(
      'after',
      '\nExamples:\n  crier watch 019a86c2f4b07d3e5f8a9b0c\n  crier watch 019a86c2f4b07d3e5f8a9b0c --json',
    )
    .action(
      act(async (context: Context, id: string) => {
        const postGroupId = postIdOf(id);
        const crier = await context.service();
        const shown = new Map<string, string>();
        const stream = crier.streamEvents({ events: 'post,target,comment' });
        for await (const { event, data } of stream) {
          // `ready`: no event is missed from now on. `reload`: some were.
          const concerns =
            event === 'ready' || event === 'reload' || ('postGroupId' in data && data.postGroupId === postGroupId);
          if (!concerns) continue;
          const post = await crier.getPost({ postGroupId });
          showChanges(context, post, shown);
          if (!ended.includes(post.status)) continue;
          requirePublished(post);
          return;
        }
      }),
    );
};

/** Shows one line for each target that changed. */
function showChanges({ show, out: { paint } }: Context, post: PostGroup, shown: Map<string, string>) {
  for (const target of post.posts) {
    const about = aboutTarget(target);
    const state = `${target.status} ${about}`;
    if (shown.get(target._id) === state) continue;
    shown.set(target._id, state);
    const colour = { published: paint.green, failed: paint.red }[String(target.status)] ?? paint.grey;
    const { _id: postId, platform, platformId, status, permalink, error = null } = target;
    const { postGroupId } = post;
    show({ postGroupId, postId, platform, platformId, status, permalink, error, postStatus: post.status }, [
      `${colour(marks[status] ?? '·')} ${platform}  ${colour(status)}  ${plain(about)}`,
    ]);
  }
}
