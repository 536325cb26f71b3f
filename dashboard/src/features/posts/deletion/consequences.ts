import { count, shownStatus } from '../../../lib/posts/post-summary.ts';
import { type Deletable, isDueSoon, isTooMany } from './undoable.ts';

/** The consequences of deleting these posts, one sentence per kind. */
export function consequences(posts: readonly Deletable[]): string[] {
  const of = (...statuses: string[]) => posts.filter((post) => statuses.includes(shownStatus(post))).length;
  const [scheduled, running, published, drafts, failed] = [
    of('scheduled'),
    of('publishing'),
    of('published', 'partially_published'),
    of('draft'),
    of('failed'),
  ];
  const it = (number: number) => (number === 1 ? 'it' : 'them');
  return [
    scheduled > 0 && `${count(scheduled, 'scheduled post')} won’t be published.`,
    running > 0 &&
      `${count(running, 'post')} ${running === 1 ? 'is' : 'are'} being published and may still appear on the networks. Delete ${it(running)} there, too.`,
    published > 0 &&
      `${count(published, 'published post')} ${published === 1 ? 'stays' : 'stay'} on the networks. Delete ${it(published)} there to remove ${it(published)}.`,
    drafts > 0 && `${count(drafts, 'draft')} will be deleted with ${drafts === 1 ? 'its' : 'their'} files.`,
    failed > 0 &&
      `${count(failed, 'failed post')} will be deleted with ${failed === 1 ? 'its' : 'their'} error details.`,
  ].filter((sentence) => typeof sentence === 'string');
}

/** Why there is no Undo. */
export function finality(posts: readonly Deletable[], now: Date): string {
  if (isTooMany(posts)) return 'This can’t be undone, because there are more than 100 posts.';
  if (!posts.some((post) => isDueSoon(post, now))) return 'This can’t be undone.';
  return posts.length === 1
    ? 'This can’t be undone, because the post is due within two minutes.'
    : 'This can’t be undone, because some posts are due within two minutes.';
}
