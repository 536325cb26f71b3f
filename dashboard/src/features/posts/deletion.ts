import { count, type PostSummary } from '../../lib/post-summary.ts';

/** What happens if these are deleted, one sentence per kind. */
export function consequences(posts: readonly Pick<PostSummary, 'status'>[]): string[] {
  const of = (...statuses: string[]) => posts.filter(({ status }) => statuses.includes(status)).length;
  const [scheduled, published, drafts, failed] = [
    of('scheduled'),
    of('published', 'partially_published'),
    of('draft'),
    of('failed'),
  ];
  return [
    scheduled > 0 && `${count(scheduled, 'scheduled post')} will not be published.`,
    published > 0 &&
      `${count(published, 'published post')} ${published === 1 ? 'stays where it is' : 'stay where they are'}: on the networks. Delete ${published === 1 ? 'it' : 'them'} there if you want ${published === 1 ? 'it' : 'them'} gone.`,
    drafts > 0 && `${count(drafts, 'draft')} will be gone, with ${drafts === 1 ? 'its' : 'their'} files.`,
    failed > 0 &&
      `${count(failed, 'failed post')} will be gone, with the reason why ${failed === 1 ? 'it' : 'they'} failed.`,
  ].filter((sentence) => typeof sentence === 'string');
}
