import type { Media, PostGroup } from '@crier/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describe } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import type { Autosaver } from '../saving/autosaver.ts';
import { showDraftNotice } from '../saving/draft-notice.ts';

/** Changes to the post's files. Each is optimistic and reverted if the service rejects it. */
export function useMediaChanges(postGroupId: string, saver: Autosaver) {
  const client = useQueryClient();
  const key = keys.post(postGroupId);
  const show = (change: (media: readonly Media[]) => Media[]) => {
    const before = client.getQueryData<PostGroup>(key);
    if (before) client.setQueryData<PostGroup>(key, { ...before, media: change(before.media) });
  };
  const common = {
    onSettled: () => client.invalidateQueries({ queryKey: key }),
    onError: (error: unknown) => notifications.show({ color: 'red', message: describe(error).message }),
  };
  const reorder = useMutation({
    ...common,
    mutationFn: (mediaIds: readonly string[]) =>
      saver.changeFiles(() => crier.reorderMedia({ postGroupId, mediaIds: [...mediaIds] })),
    onMutate: (mediaIds) =>
      show((media) => mediaIds.flatMap((id) => media.find(({ mediaId }) => mediaId === id) ?? [])),
    onSuccess: noticeIfDemoted,
  });
  const remove = useMutation({
    ...common,
    mutationFn: (mediaId: string) => saver.changeFiles(() => crier.deleteMedia({ mediaId })),
    onMutate: (removed) => show((media) => media.filter(({ mediaId }) => mediaId !== removed)),
    onSuccess: noticeIfDemoted,
  });
  const describeFile = useMutation({
    ...common,
    onMutate: ({ mediaId, altText }) =>
      show((media) => media.map((file) => (file.mediaId === mediaId ? { ...file, altText } : file))),
    mutationFn: ({ mediaId, altText }: { mediaId: string; altText: string }) =>
      saver.changeFiles(() => crier.updateMedia({ mediaId, altText: altText.trim() || null })),
  });
  return { reorder, remove, describeFile };
}

function noticeIfDemoted(answer: { postGroupDemoted?: true }) {
  if (answer.postGroupDemoted) showDraftNotice();
}
