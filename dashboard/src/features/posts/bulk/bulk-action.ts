import type { PostRow } from '../list/rows.ts';

/** What can be done with the selected posts in a dialog. */
export type BulkAction = 'publish' | 'reschedule' | 'channel' | 'duplicate' | 'label' | 'unlabel';

/** `onDone` ends the selection. */
export type OnBulk = (action: BulkAction | 'delete', posts: readonly PostRow[], onDone: () => void) => void;
