import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { RescheduleDialog } from '../../posts/bulk/reschedule-dialog.tsx';

/** The dialog of the list, for one post. */
export default function Reschedule({ post, onClose }: { post: PostSummary; onClose: () => void }) {
  return <RescheduleDialog posts={[post]} opened onClose={onClose} onMoved={onClose} />;
}
