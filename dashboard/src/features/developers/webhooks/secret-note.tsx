import { Button, Group, Stack, Text } from '@mantine/core';
import { CopyValue } from '../../../components/copy-value.tsx';

/** A webhook's secret, shown once. */
export function SecretNote({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Deliveries are signed with this secret, so you can verify that they come from Crier. Copy it now. You won’t see
        it again.
      </Text>
      <CopyValue value={secret} name="Secret" />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
