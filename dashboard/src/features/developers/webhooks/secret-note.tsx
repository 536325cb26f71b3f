import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { CopyValue } from '../../../components/copy-value.tsx';

/** A webhook's secret, shown once. */
export function SecretNote({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Deliveries are signed with this secret, so you can{' '}
        <Anchor href="/docs#tag/webhooks" target="_blank" inherit>
          verify that they come from Crier
        </Anchor>
        . Copy it now. You won’t see it again.
      </Text>
      <CopyValue value={secret} name="Secret" />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
