import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { describe } from '../../components/error-state.tsx';
import { keys } from '../../lib/query-keys.ts';
import { getNextSlot, getPostingSlots } from './composer-api.ts';
import { fieldsOf } from './when.ts';

/** "Next free slot". It is there only if posting slots are set. */
export function NextSlotButton({
  channels,
  timeZone,
  onSlot,
}: {
  channels: readonly string[];
  timeZone: string;
  onSlot: (slot: { date: string; time: string }) => void;
}) {
  const { data: slots = [] } = useQuery({ queryKey: [...keys.slots, 'any'], queryFn: getPostingSlots, retry: false });
  const { mutate, isPending } = useMutation({
    mutationFn: () => getNextSlot(channels),
    onSuccess: (publishAt) => onSlot(fieldsOf(new Date(publishAt), timeZone)),
    onError: (error) => notifications.show({ color: 'red', message: describe(error).message }),
  });
  if (slots.length === 0) return null;
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      Next free slot
    </Button>
  );
}
