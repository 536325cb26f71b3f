import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { describe } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { slotsQuery } from '../../../lib/queries.ts';
import { dateAndTimeOf } from '../../../lib/time/new-post-time.ts';

/** "Next free slot", if posting slots are set. */
export function NextSlotButton({
  channels,
  timeZone,
  onSlot,
}: {
  channels: readonly string[];
  timeZone: string;
  onSlot: (slot: { date: string; time: string }) => void;
}) {
  const { data } = useQuery(slotsQuery);
  const { mutate, isPending } = useMutation({
    mutationFn: () => crier.getNextSlot(channels.length > 0 ? { platforms: channels.join(',') } : {}),
    onSuccess: ({ publishAt }) => onSlot(dateAndTimeOf(new Date(publishAt), timeZone)),
    onError: (error) => notifications.show({ color: 'red', message: describe(error).message }),
  });
  if (!data?.slots.length) return null;
  return (
    <Button variant="default" size="compact-sm" radius="xl" loading={isPending} onClick={() => mutate()}>
      Next free slot
    </Button>
  );
}
