import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { notifyError, notifyWithUndo } from '../../components/notify.tsx';
import { crier } from '../../lib/api.ts';
import { count, type PostSummary } from '../../lib/posts/post-summary.ts';
import { profileQuery } from '../../lib/queries.ts';
import { dismissalOf, type Failure, withDismissed } from './attention.ts';
import { failedPostsQuery } from './attention-queries.ts';

/** Whether the person has dismissed this failed post, on any device. */
export function useDismissed(): (post: Failure) => boolean {
  const { data: profile } = useQuery(profileQuery);
  const dismissed = profile?.dismissedFailures;
  return useCallback((post) => dismissed?.includes(dismissalOf(post)) ?? false, [dismissed]);
}

/** Removes failed posts from what needs attention. */
export function useDismiss() {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (dismissedFailures: string[]) => crier.updateProfile({ dismissedFailures }),
    onSuccess: (profile) => client.setQueryData(profileQuery.queryKey, profile),
    onError: (error) => notifyError('Couldn’t change the list', error),
  });
  return (posts: readonly PostSummary[]) => {
    const before = client.getQueryData(profileQuery.queryKey)?.dismissedFailures ?? [];
    const listed = client.getQueryData(failedPostsQuery.queryKey) ?? [];
    mutate(withDismissed(before, listed, posts), {
      onSuccess: () => notifyWithUndo(`Dismissed ${count(posts.length, 'failed post')}.`, () => mutate([...before])),
    });
  };
}
