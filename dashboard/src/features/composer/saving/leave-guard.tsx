import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { isScheduled, type Saver } from './autosaver.ts';

/** Leaving with something unsaved saves it first. If that fails, the person decides. */
export function LeaveGuard({ saver }: { saver: Saver }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isWithin = current.fullPath.startsWith('/compose') && next.fullPath.startsWith('/compose');
      if (!saver.hasUnsaved || (isWithin && isOwn(saver, next))) return false;
      if (isScheduled(saver.place)) return true;
      return !(await saver.flush());
    },
    enableBeforeUnload: () => saver.hasUnsaved,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Modal opened onClose={reset} title="Leave without saving?">
      <Text size="sm">
        The last changes are not on the server. They are kept in this browser and come back when you open this post here
        again.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={reset}>
          Stay
        </Button>
        <Button color="red" onClick={proceed}>
          Leave
        </Button>
      </Group>
    </Modal>
  );
}

/** The address follows what the composer made of its draft. */
function isOwn({ place }: Saver, { params, search }: { params: object; search: object }): boolean {
  const { postGroupId, draft }: { postGroupId?: string; draft?: string } = { ...params, ...search };
  if (place.kind === 'post') return postGroupId === place.postGroupId;
  return postGroupId === undefined && draft === (place.kind === 'draft' ? place.draftId : undefined);
}
