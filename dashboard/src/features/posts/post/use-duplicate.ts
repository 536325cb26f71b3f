import type { PostGroup } from '@crier/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { notifyError } from '../../../components/notify.tsx';
import { duplicatePost } from './duplicate-post.ts';

/** Duplicates the post for these channels, or for all if null, and opens the copy. */
export function useDuplicate(post: PostGroup) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (channels: readonly string[] | null) => duplicatePost(post, channels),
    onSuccess: (postGroupId) => navigate({ to: '/compose/$postGroupId', params: { postGroupId } }),
    onError: (error) => notifyError('Couldn’t duplicate the post', error),
  });
}
