import type { PostGroup } from '@crier/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { notifyError } from '../../../components/notify.tsx';
import { asOwnerOfPost, searchOf } from '../../../lib/brands/brand.ts';
import { useBrandOf } from '../../../lib/brands/use-brands.ts';
import { duplicatePost } from './duplicate-post.ts';

/** Duplicates the post for these channels, or for all if null, and opens the copy among the posts of its brand. */
export function useDuplicate(post: PostGroup) {
  const navigate = useNavigate();
  const brandOf = useBrandOf();
  const owner = asOwnerOfPost(post.postGroupId);
  return useMutation({
    mutationFn: (channels: readonly string[] | null) => duplicatePost(post, channels, owner),
    onSuccess: (postGroupId) =>
      navigate({ to: '/compose/$postGroupId', params: { postGroupId }, search: searchOf(brandOf(owner)) }),
    onError: (error) => notifyError('Couldn’t duplicate the post', error),
  });
}
