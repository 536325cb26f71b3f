import type { Connection } from '@crier/client';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { channelName } from '../../components/channels/avatar.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';

const list = new Intl.ListFormat('en-GB');

/** The user wanted to reconnect one account and approved access to another. */
export function WrongAccount({
  missed,
  found,
  onReconnect,
  onClose,
}: {
  missed: Connection;
  found: readonly Connection[];
  onReconnect: (channel: Connection) => void;
  onClose: () => void;
}) {
  const [isDisconnecting, setDisconnecting] = useState(false);
  const [wanted, network] = [channelName(missed), platformName(missed.platform)];
  const names = list.format(found.map(channelName));
  const [other] = found;
  return (
    <Alert
      color="orange"
      role="alert"
      mb="lg"
      icon={<IconAlertTriangle aria-hidden />}
      title={`${wanted} is not reconnected`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text size="sm">
        {found.length > 0 &&
          `You approved access as ${names}, ${found.length === 1 ? 'which is a separate channel' : 'which are separate channels'}. `}
        To reconnect {wanted}, sign in to {network} as {wanted}, then approve access again.
      </Text>
      <Group mt="sm" gap="sm">
        <Button size="xs" onClick={() => onReconnect(missed)}>
          Reconnect {wanted}
        </Button>
        {found.length === 1 && (
          <Button size="xs" variant="default" onClick={() => setDisconnecting(true)}>
            Disconnect {names}
          </Button>
        )}
      </Group>
      {other && <DisconnectDialog channel={other} opened={isDisconnecting} onClose={() => setDisconnecting(false)} />}
    </Alert>
  );
}
