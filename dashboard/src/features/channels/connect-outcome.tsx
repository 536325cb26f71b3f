import type { Connection } from '@crier/client';
import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { channelName } from '../../components/channels/avatar.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { RetryAfterReconnect } from '../attention/retry-after-reconnect.tsx';
import { missedChannel } from './channel-list.ts';
import { connectablesQuery, notYetConnected, reconnectedChannel, takeConnectProblem } from './connect.ts';
import { NetworkButtons } from './network-buttons.tsx';
import { useConnecting } from './use-connecting.ts';
import { WrongAccount } from './wrong-account.tsx';

/** Shows which channels were just connected, or why connecting failed. */
export function ConnectOutcome({
  connected,
  failed,
  channels,
  onChoose,
  onReconnect,
  onClose,
}: {
  connected: string | undefined;
  failed: boolean;
  channels: readonly Connection[];
  /** Opens the form of a network. */
  onChoose: (network: string) => void;
  onReconnect: (channel: Connection) => void;
  onClose: () => void;
}) {
  const [reason] = useState(() => (failed ? takeConnectProblem() : null));
  if (failed) {
    return (
      <Alert color="red" role="alert" mb="md" withCloseButton closeButtonLabel="Close" onClose={onClose}>
        {reason}
      </Alert>
    );
  }
  const ids = connected?.split(' ') ?? [];
  const found = channels.filter(({ platformId }) => ids.includes(platformId));
  const missed = connected === undefined ? undefined : missedChannel(reconnectedChannel(), ids, channels);
  if (missed) return <WrongAccount missed={missed} found={found} onReconnect={onReconnect} onClose={onClose} />;
  if (found.length === 0) return null;
  const names = found.map((channel) => `${channelName(channel)} on ${platformName(channel.platform)}`);
  return (
    <Stack mb="lg">
      <Alert color="green" role="status" title="Connected" withCloseButton closeButtonLabel="Close" onClose={onClose}>
        {names.join(', ')}
        <RetryAfterReconnect platformIds={ids} />
      </Alert>
      <NextNetworks channels={channels} onChoose={onChoose} />
    </Stack>
  );
}

/** Users who connect one account often connect more, so the next is one click away. */
function NextNetworks({
  channels,
  onChoose,
}: {
  channels: readonly Connection[];
  onChoose: (network: string) => void;
}) {
  const { data: platforms = [] } = useQuery(connectablesQuery);
  // Without a form, the consent page is the only way to an outcome.
  const connecting = useConnecting({ returnTo: '/channels', onChoose, onOutcome: () => {} });
  return (
    <>
      {connecting.error && <ErrorState error={connecting.error} />}
      <NetworkButtons
        label="Add another channel"
        platforms={notYetConnected(platforms, channels)}
        connecting={connecting}
        isCompact
      />
    </>
  );
}
