import { Anchor, Code, Stack, Text, Title } from '@mantine/core';
import { CopyValue } from '../../../components/copy-value.tsx';

/** A webhook rarely reaches a developer's machine. The event stream has the same requests, and the command line forwards them. */
export function LocalTesting() {
  const stream = `curl -N "${window.location.origin}/api/v1/events?format=webhook" -H "x-service-key: YOUR_KEY"`;
  const commands = `npx crier login --url ${window.location.origin}
npx crier webhooks listen --forward-to http://localhost:8080/hook`;
  return (
    <Stack component="section" gap="xs" mt="xl" maw={820} aria-labelledby="local-testing">
      <Title order={2} size="h4" id="local-testing">
        Test on your machine
      </Title>
      <Text size="sm">
        Crier reaches localhost only if its operator allows it. The event stream delivers the same signed events to a
        program on your machine, without a webhook:
      </Text>
      <CopyValue value={stream} name="Command to stream events" label="Copy command" />
      <Text size="sm">
        Each event has the <Code>headers</Code> and the <Code>body</Code> that a webhook would receive.{' '}
        <Code>webhook-signature</Code> is <Code>v1,</Code> followed by the HMAC-SHA256 of{' '}
        <Code>{'<webhook-id>.<webhook-timestamp>.<body>'}</Code> in base64. The key is your webhook’s secret, and on the
        stream the <Code>secret</Code> of its <Code>ready</Code> event.{' '}
        <Anchor href="/docs#tag/events" target="_blank" inherit>
          API reference
        </Anchor>
      </Text>
      <Text size="sm">With the source code of Crier, the command line forwards each event to your server:</Text>
      <CopyValue value={commands} name="Commands to receive events locally" label="Copy commands" />
    </Stack>
  );
}
