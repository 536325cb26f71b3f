import type { HeldBack } from '../../../features/publishing/maintenance/hold-restored.ts';
import { counted } from '../print-result.ts';

/** Lists what a restore held back from publishing, because it may already be on the networks. */
export function heldBackLines({ drafts, targets, comments }: HeldBack): string[] {
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
  return lines;
}
