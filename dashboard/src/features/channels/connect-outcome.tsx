import type { Connection } from '@crier/client';
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { channelName } from '../../components/channel-avatar.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { takeConnectProblem } from './connect.ts';

/** Says what has just been connected, or why nothing was. */
export function ConnectOutcome({
  connected,
  failed,
  channels,
  onClose,
}: {
  connected: string | undefined;
  failed: boolean;
  channels: readonly Connection[];
  onClose: () => void;
}) {
  const [reason] = useState(() => (failed ? takeConnectProblem() : null));
  if (failed) {
    return (
      <Alert
        color="red"
        role="alert"
        title="Nothing was connected"
        mb="md"
        withCloseButton
        closeButtonLabel="Close"
        onClose={onClose}
      >
        {reason ?? 'The network gave no access. Try again.'}
      </Alert>
    );
  }
  const ids = connected?.split(' ') ?? [];
  const found = channels.filter(({ platformId }) => ids.includes(platformId));
  if (found.length === 0) return null;
  const names = found.map((channel) => `${channelName(channel)} on ${platformName(channel.platform)}`);
  return (
    <Alert
      color="green"
      role="status"
      title="Connected"
      mb="md"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {names.join(', ')}
    </Alert>
  );
}
