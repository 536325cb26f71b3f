import type { PostSummary } from '../../../lib/posts/post-summary.ts';

/** What is dragged: a post of the calendar, or a draft of the tray. */
export interface Dragged {
  post: PostSummary;
  isDraft?: boolean;
  /** Why a draft can't be scheduled yet. */
  refusal?: string | null;
}

/** The new time of a post dropped on a cell. Null: the cell doesn't accept posts. */
export type DropTime = (post: PostSummary) => Date | null;
