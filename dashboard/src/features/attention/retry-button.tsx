import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyError } from '../../components/notify.tsx';
import { count, type PostSummary } from '../../lib/posts/post-summary.ts';
import { sentenceOf } from './attention.ts';
import { retryAll } from './retry-all.ts';

/** "Retry 4 posts": publishes them again, in order. */
export function RetryButton({ posts, onDone }: { posts: readonly PostSummary[]; onDone?: () => void }) {
  const client = useQueryClient();
  const retrying = useMutation({
    mutationFn: () => retryAll(client, posts),
    onSuccess: (result) => {
      notifications.show({ message: sentenceOf(result), withBorder: true });
      onDone?.();
    },
    onError: (error) => notifyError('Couldn’t retry all posts', error),
  });
  return (
    <Button size="xs" flex="none" loading={retrying.isPending} onClick={() => retrying.mutate()}>
      Retry {count(posts.length, 'post')}
    </Button>
  );
}
