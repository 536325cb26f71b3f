import type { Connection } from '@crier/client';
import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { BrandName } from '../../components/brands/brand-name.tsx';
import { ChannelAvatar, channelName } from '../../components/channels/avatar.tsx';
import { describe } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { crier } from '../../lib/api.ts';
import { type Brand, useBrandOf } from '../../lib/brands/use-brands.ts';
import { platformName } from '../../lib/platform-name.ts';
import { inOurWords } from '../../lib/posts/messages.ts';
import { keys } from '../../lib/query-keys.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { formatRelative } from '../../lib/time/time.ts';
import { brandIdOf, needsAttention, notesOn } from './channel-list.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { HealthBadge } from './health-badge.tsx';

/** One account: its identity, health and actions. */
export function ChannelRow({ channel, onReconnect }: { channel: Connection; onReconnect: () => void }) {
  const client = useQueryClient();
  const [isDisconnecting, setDisconnecting] = useState(false);
  const test = useMutation({
    mutationFn: () => crier.testConnection({ platformId: channel.platformId }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.channels }),
  });
  const brand = useBrandOf()(channel);
  const { session } = useRouteContext({ from: '/_app' });
  const brandId = brandIdOf(channel, session._id);
  const name = channelName(channel);
  const of = `${name} on ${platformName(channel.platform)}`;
  const checked = test.data ? inOurWords(test.data.message) : null;
  return (
    <Card withBorder padding="md" component="li" aria-label={of}>
      <Group justify="space-between" gap="md">
        <Group gap="sm" wrap="nowrap" miw={0} flex="1 1 300px">
          <ChannelAvatar channel={channel} size={44} />
          <Identity channel={channel} brand={brand} isOfBrand={brandId !== undefined} />
        </Group>
        <HealthBadge channel={channel} />
        {brandId ? (
          <Group gap="xs">
            <Button size="xs" variant={needsAttention(channel) ? 'filled' : 'default'} onClick={onReconnect}>
              Reconnect
            </Button>
            <ButtonLink size="xs" variant="default" to="/channels" search={{ brand: brandId }} preload={false}>
              Manage
            </ButtonLink>
          </Group>
        ) : (
          <Group gap="xs">
            <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Check connection
            </Button>
            <Button size="xs" variant={needsAttention(channel) ? 'filled' : 'default'} onClick={onReconnect}>
              Reconnect
            </Button>
            <Button size="xs" variant="default" onClick={() => setDisconnecting(true)}>
              Disconnect
            </Button>
          </Group>
        )}
      </Group>
      <Notes channel={channel} />
      <div aria-live="polite">
        {test.data && (
          <Outcome
            isGood={test.data.status === 'ok'}
            of={of}
            message={checked === notesOn(channel).health ? null : checked}
            onClose={test.reset}
          />
        )}
        {test.error && <Outcome isGood={false} of={of} message={describe(test.error).message} onClose={test.reset} />}
      </div>
      <DisconnectDialog channel={channel} opened={isDisconnecting} onClose={() => setDisconnecting(false)} />
    </Card>
  );
}

function Identity({
  channel,
  brand,
  isOfBrand,
}: {
  channel: Connection;
  /** Null until it is known. */
  brand: Brand | null;
  isOfBrand: boolean;
}) {
  const preferences = useTimePreferences();
  const last = channel.lastSuccessfulPost;
  const other = channel.displayName !== channelName(channel) ? channel.displayName : null;
  return (
    <div style={{ minWidth: 0 }}>
      <Text fw={600} lineClamp={2} lh={1.3}>
        <bdi>{channelName(channel)}</bdi>
      </Text>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {[platformName(channel.platform), other, last && `last post ${formatRelative(last, preferences)}`]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {isOfBrand && (
        <Text size="sm" c="dimmed" component="div" display="flex" mih="1lh">
          {brand && <BrandName brand={brand} />}
        </Text>
      )}
    </div>
  );
}

function Notes({ channel }: { channel: Connection }) {
  const preferences = useTimePreferences();
  const notes = notesOn(channel);
  if (!notes.health && !notes.lastError) return null;
  return (
    <Stack gap={4} mt="sm">
      {notes.health && <Text size="sm">{notes.health}</Text>}
      {channel.lastError && notes.lastError && (
        <Text size="sm" c="dimmed" dir="auto">
          Last error ({formatRelative(channel.lastError.occurredAt, preferences)}): {notes.lastError}
        </Text>
      )}
    </Stack>
  );
}

function Outcome({
  isGood,
  of,
  message,
  onClose,
}: {
  isGood: boolean;
  of: string;
  /** Null: the row says it. */
  message: string | null;
  onClose: () => void;
}) {
  return (
    <Alert
      mt="sm"
      color={isGood ? 'green' : 'red'}
      title={isGood ? 'Connection works' : 'Connection check failed'}
      withCloseButton
      closeButtonLabel={`Close result for ${of}`}
      onClose={onClose}
    >
      {message}
    </Alert>
  );
}
