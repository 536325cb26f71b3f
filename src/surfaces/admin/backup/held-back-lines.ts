import { counted } from '../print-result.ts';
import type { Restored } from './read-backup.ts';

/** Lists what a restore held back, because it may have happened, or been cancelled, after the backup. */
export function heldBackLines({ drafts, targets, comments, deletions }: Restored): string[] {
  const lines: string[] = [];
  if (drafts > 0)
    lines.push(
      `${counted(drafts, 'scheduled post')} may have been published after the backup, and ` +
        (drafts === 1 ? 'became a draft, as its log shows.' : 'became drafts, as their logs show.'),
    );
  if (targets > 0)
    lines.push(
      `${counted(targets, 'target')} that ${targets === 1 ? 'was' : 'were'} being published failed with PUBLISH_OUTCOME_UNKNOWN.`,
    );
  if (comments > 0) lines.push(`First comments on ${counted(comments, 'post')} have an unknown outcome.`);
  if (deletions > 0)
    lines.push(
      `${counted(deletions, 'account')} that ${deletions === 1 ? 'was' : 'were'} about to be deleted can be kept for another seven days. A mail tells the users.`,
    );
  return lines;
}
