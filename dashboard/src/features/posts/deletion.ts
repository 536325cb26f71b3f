import { count, type PostSummary } from '../../lib/post-summary.ts';

/** The consequences of deleting these posts, one sentence per kind. */
export function consequences(posts: readonly Pick<PostSummary, 'status'>[]): string[] {
  const of = (...statuses: string[]) => posts.filter(({ status }) => statuses.includes(status)).length;
  const [scheduled, published, drafts, failed] = [
    of('scheduled'),
    of('published', 'partially_published'),
    of('draft'),
    of('failed'),
  ];
  return [
    scheduled > 0 && `${count(scheduled, 'scheduled post')} won’t be published.`,
    published > 0 &&
      `${count(published, 'published post')} ${published === 1 ? 'stays' : 'stay'} on the networks. Delete ${published === 1 ? 'it' : 'them'} there to remove ${published === 1 ? 'it' : 'them'}.`,
    drafts > 0 && `${count(drafts, 'draft')} will be deleted with ${drafts === 1 ? 'its' : 'their'} files.`,
    failed > 0 &&
      `${count(failed, 'failed post')} will be deleted with ${failed === 1 ? 'its' : 'their'} error details.`,
  ].filter((sentence) => typeof sentence === 'string');
}
