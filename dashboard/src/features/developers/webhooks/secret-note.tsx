import { Button, Group, Stack, Text } from '@mantine/core';
import { CopyValue } from '../../../components/copy-value.tsx';

/** The secret of a webhook, which is shown once. */
export function SecretNote({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Deliveries are signed with this secret, so that you can tell them from those of others. Copy it now: it is not
        shown again.
      </Text>
      <CopyValue value={secret} name="Secret" />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
