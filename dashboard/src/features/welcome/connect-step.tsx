import type { Connection } from '@crier/client';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChannelAvatar, channelName } from '../../components/channels/avatar.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { dashboardSettingsQuery } from '../../lib/dashboard-settings.ts';
import { platformName } from '../../lib/platform-name.ts';
import { keys } from '../../lib/query-keys.ts';
import { AddDialog } from '../channels/add-dialog.tsx';
import { ChoiceDialog } from '../channels/choice-dialog.tsx';
import { connectablesQuery, notYetConnected, type Outcome, takeConnectProblem } from '../channels/connect.ts';
import { NetworkButtons } from '../channels/network-buttons.tsx';
import { useConnecting } from '../channels/use-connecting.ts';
import { networksOf } from './first-post.ts';

/** A sandbox network with plain text posts that needs no details to connect. */
const sandboxNetwork = 'mastodon';

/** Connects channels one by one. Consent pages redirect back here. */
export function ConnectStep({
  channels,
  networks,
  isOver,
  failed,
  choice,
}: {
  channels: readonly Connection[];
  /** Networks that support the first post. */
  networks: readonly string[];
  isOver: boolean;
  failed: boolean;
  choice: string | undefined;
}) {
  const [reason] = useState(() => (failed ? takeConnectProblem() : null));
  return (
    <Stack>
      {reason && !isOver && (
        <Alert color="red" role="alert">
          {reason}
        </Alert>
      )}
      {channels.length > 0 && <Connected channels={channels} />}
      {!isOver && <ConnectButtons channels={channels} networks={networks} choice={choice} />}
    </Stack>
  );
}

const shown = 6;

const Connected = ({ channels }: { channels: readonly Connection[] }) => (
  <Stack gap="xs">
    {channels.slice(0, shown).map((channel) => (
      <Group key={channel.platformId} gap="sm" wrap="nowrap">
        <ChannelAvatar channel={channel} />
        <Text dir="auto" miw={0} style={{ overflowWrap: 'anywhere' }}>
          {channelName(channel)} on {platformName(channel.platform)} is connected.
        </Text>
      </Group>
    ))}
    {channels.length > shown && <Text c="dimmed">and {channels.length - shown} more</Text>}
  </Stack>
);

function ConnectButtons({
  channels,
  networks,
  choice,
}: {
  channels: readonly Connection[];
  networks: readonly string[];
  choice: string | undefined;
}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const { data: platforms = [], error, refetch } = useQuery(connectablesQuery);
  const [network, setNetwork] = useState<string | null>(null);
  const showOutcome = async (outcome: Outcome) => {
    setNetwork(null);
    if ('choiceId' in outcome) return navigate({ to: '/welcome', search: { choice: outcome.choiceId } });
    await client.invalidateQueries({ queryKey: keys.channels });
    await navigate({ to: '/welcome', search: {} });
  };
  const isSandbox = Boolean(settings?.sandboxUrl);
  const connecting = useConnecting({
    returnTo: '/welcome',
    withoutForms: isSandbox,
    onChoose: setNetwork,
    onOutcome: (outcome) => void showOutcome(outcome),
  });
  const isFirst = channels.length === 0;
  const suggested = isSandbox && isFirst ? platforms.find(({ platform }) => platform === sandboxNetwork) : undefined;
  const offered = notYetConnected(platforms, channels).filter((one) => one !== suggested);
  const needMedia = offered.filter((one) => !networks.includes(one.platform));
  // Until then, step 2 waits.
  const hasOnlyOthers = !isFirst && !channels.some(({ platform }) => networks.includes(platform));
  return (
    <>
      {connecting.error && <ErrorState error={connecting.error} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isFirst && (
        <Text c="dimmed">
          A channel is a social account you post to.{' '}
          {isSandbox
            ? 'You’re in the sandbox: the networks are simulated on this machine, so nothing you post is public.'
            : 'Approve access on the network’s site, then return here.'}
        </Text>
      )}
      {isSandbox && isFirst && (
        <Group gap="sm">
          <Button
            loading={connecting.busy === sandboxNetwork}
            disabled={!suggested || (connecting.busy !== null && connecting.busy !== sandboxNetwork)}
            onClick={() => suggested && connecting.start(suggested)}
          >
            Connect a sandbox account
          </Button>
          <Text size="sm" c="dimmed">
            Creates a test account on a simulated {platformName(sandboxNetwork)} server.
          </Text>
        </Group>
      )}
      {hasOnlyOthers && (
        <Text>
          {networksOf(channels)} {needs(channels)} a video, and this first post has none. Connect another network for
          it, or{' '}
          <AnchorLink to="/compose" inherit>
            write a post with media
          </AnchorLink>
          .
        </Text>
      )}
      <NetworkButtons
        label={
          isFirst
            ? suggested
              ? 'Or choose a network'
              : 'Choose a network'
            : hasOnlyOthers
              ? 'Add another network'
              : 'Add more networks, or continue to the post'
        }
        platforms={offered}
        connecting={connecting}
        isCompact
      />
      {needMedia.length > 0 && !hasOnlyOthers && (
        <Text size="sm" c="dimmed">
          {networksOf(needMedia)} {needs(needMedia)} a video, so this first post skips{' '}
          {needMedia.length === 1 ? 'it' : 'them'}.
        </Text>
      )}
      <AddDialog
        network={network}
        returnTo="/welcome"
        onChoose={(chosen) => setNetwork(chosen === 'networks' ? null : chosen)}
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

const needs = (channels: readonly { platform: string }[]): string =>
  new Set(channels.map(({ platform }) => platform)).size === 1 ? 'needs' : 'need';
