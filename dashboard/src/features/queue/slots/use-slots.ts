import type { PostingSlots } from '@crier/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyError } from '../../../components/notify.tsx';
import { crier } from '../../../lib/api.ts';
import { slotsQuery } from '../../../lib/queries.ts';
import { keys } from '../../../lib/query-keys.ts';

/** Updates optimistically and reverts if the service rejects the change. */
export function useSetSlots() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ timeZone, slots }: Omit<PostingSlots, 'success'>) => crier.setPostingSlots({ timeZone, slots }),
    onMutate: async (wanted) => {
      await client.cancelQueries({ queryKey: keys.slots });
      const before = client.getQueryData(slotsQuery.queryKey);
      client.setQueryData(slotsQuery.queryKey, { success: true, ...wanted });
      return { before };
    },
    onError: (error, _wanted, context) => {
      client.setQueryData(slotsQuery.queryKey, context?.before);
      notifyError('Couldn’t save the posting slots', error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.slots }),
  });
}
