import { lazy, type RefObject, Suspense, useState } from 'react';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { usePreviewed } from './use-previewed.ts';

const PreviewCard = lazy(() => import('./preview-card.tsx'));
const Reschedule = lazy(() => import('./reschedule.tsx'));

/** A card with more about the post under the pointer, and what can be done with it. */
export function PostPreviews({
  within,
  posts,
}: {
  within: RefObject<HTMLElement | null>;
  posts: readonly PostSummary[];
}) {
  const [previewed, close] = usePreviewed(within);
  const [rescheduled, setRescheduled] = useState<PostSummary | null>(null);
  const post = previewed && posts.find(({ postGroupId }) => postGroupId === previewed.postGroupId);
  return (
    <Suspense>
      {post && (
        <PreviewCard
          key={post.postGroupId}
          post={post}
          tile={previewed.tile}
          onReschedule={() => {
            close();
            setRescheduled(post);
          }}
        />
      )}
      {rescheduled && <Reschedule post={rescheduled} onClose={() => setRescheduled(null)} />}
    </Suspense>
  );
}
