import type { Connection } from '@crier/client';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChannelAvatar, channelName } from '../../components/channel-avatar.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { dashboardSettingsQuery } from '../../lib/dashboard-settings.ts';
import { platformName } from '../../lib/platform-name.ts';
import { keys } from '../../lib/query-keys.ts';
import { AddDialog } from '../channels/add-dialog.tsx';
import { ChoiceDialog } from '../channels/choice-dialog.tsx';
import { connect, type Outcome, takeConnectProblem } from '../channels/connect.ts';

/** A network of the sandbox whose posts are plain text and that asks for nothing first. */
const sandboxNetwork = 'mastodon';

/** The consent leads back here. */
export function ConnectStep({
  channel,
  failed,
  choice,
}: {
  channel: Connection | undefined;
  failed: boolean;
  choice: string | undefined;
}) {
  const [reason] = useState(() => (failed ? (takeConnectProblem() ?? 'The network gave no access. Try again.') : null));
  if (channel) {
    return (
      <Group gap="sm" wrap="nowrap">
        <ChannelAvatar channel={channel} />
        <Text dir="auto">
          {channelName(channel)} on {platformName(channel.platform)} is connected.
        </Text>
      </Group>
    );
  }
  return (
    <Stack>
      {reason && (
        <Alert color="red" role="alert" title="Nothing was connected">
          {reason}
        </Alert>
      )}
      <ConnectButtons choice={choice} />
    </Stack>
  );
}

function ConnectButtons({ choice }: { choice: string | undefined }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const [network, setNetwork] = useState<string | null>(null);
  const starting = useMutation({ mutationFn: () => connect(sandboxNetwork, {}, '/welcome') });
  const showOutcome = async (outcome: Outcome) => {
    setNetwork(null);
    if ('choiceId' in outcome) return navigate({ to: '/welcome', search: { choice: outcome.choiceId } });
    await client.invalidateQueries({ queryKey: keys.channels });
    await navigate({ to: '/welcome', search: {} });
  };
  const isSandbox = Boolean(settings?.sandboxUrl);
  return (
    <>
      {starting.error && <ErrorState error={starting.error} />}
      <Text c="dimmed">
        {isSandbox
          ? 'This service runs with a sandbox: networks on this machine, made for trying things out. Nothing you do there is public.'
          : 'Choose a network. You give your consent on its page and come back here.'}
      </Text>
      <Group>
        {isSandbox && (
          <Button loading={starting.isPending || starting.isSuccess} onClick={() => starting.mutate()}>
            Connect a sandbox account
          </Button>
        )}
        <Button variant={isSandbox ? 'subtle' : 'filled'} onClick={() => setNetwork('networks')}>
          {isSandbox ? 'Choose another network' : 'Connect an account'}
        </Button>
      </Group>
      <AddDialog
        network={network}
        returnTo="/welcome"
        onChoose={setNetwork}
        onClose={() => setNetwork(null)}
        onOutcome={(outcome) => void showOutcome(outcome)}
      />
      {choice && (
        <ChoiceDialog
          choiceId={choice}
          onClose={() => void navigate({ to: '/welcome', search: {} })}
          onConnected={(connected) => void showOutcome({ connected })}
        />
      )}
    </>
  );
}
