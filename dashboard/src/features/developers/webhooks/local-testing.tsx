import { Stack, Text, Title } from '@mantine/core';
import { CopyValue } from '../../../components/copy-value.tsx';

/** A webhook rarely reaches a developer's machine. The command line fetches the same events and forwards them. */
export function LocalTesting() {
  const commands = `npx crier login --url ${window.location.origin}
npx crier webhooks listen --forward-to http://localhost:8080/hook`;
  return (
    <Stack component="section" gap="xs" mt="xl" maw={820} aria-labelledby="local-testing">
      <Title order={2} size="h4" id="local-testing">
        Test on your machine
      </Title>
      <Text size="sm">
        Crier reaches localhost only if its operator allows it. In a checkout of Crier, run these commands to forward
        the same signed events to it, without a webhook.
      </Text>
      <CopyValue value={commands} name="Commands to receive events locally" label="Copy commands" />
    </Stack>
  );
}
