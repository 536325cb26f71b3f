import type { ConnectablePlatform } from '@crier/client';
import { Button, Modal, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../components/error-state.tsx';
import { PlatformIcon } from '../../components/platform-icon.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { connect, connectablesQuery, fieldsOf, type Outcome, type ReturnPage } from './connect.ts';
import { ConnectForm } from './connect-form.tsx';

/** `network`: empty for the list of networks, otherwise the one to connect. */
export function AddDialog({
  network,
  returnTo,
  onChoose,
  onClose,
  onOutcome,
}: {
  network: string | null;
  returnTo: ReturnPage;
  onChoose: (network: string) => void;
  onClose: () => void;
  onOutcome: (outcome: Outcome) => void;
}) {
  const { data: platforms, error, refetch } = useQuery(connectablesQuery);
  const chosen = platforms?.find(({ platform }) => platform === network);
  return (
    <Modal
      opened={network !== null}
      onClose={onClose}
      title={chosen ? `Connect ${platformName(chosen.platform)}` : 'Add channel'}
      size="lg"
      centered
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!platforms && !error && <Skeleton height={220} />}
      {platforms && !chosen && (
        <Networks platforms={platforms} returnTo={returnTo} onChoose={onChoose} onOutcome={onOutcome} />
      )}
      {chosen && (
        <ConnectForm
          key={chosen.platform}
          platform={chosen}
          returnTo={returnTo}
          onBack={() => onChoose('networks')}
          onOutcome={onOutcome}
        />
      )}
    </Modal>
  );
}

function Networks({
  platforms,
  returnTo,
  onChoose,
  onOutcome,
}: {
  platforms: readonly ConnectablePlatform[];
  returnTo: ReturnPage;
  onChoose: (network: string) => void;
  onOutcome: (outcome: Outcome) => void;
}) {
  const starting = useMutation({
    mutationFn: (platform: string) => connect(platform, {}, returnTo),
    onSuccess: (outcome) => outcome && onOutcome(outcome),
  });
  // The tab is leaving for the consent page, so the button keeps turning.
  const isLeaving = starting.isPending || (starting.isSuccess && starting.data === null);
  const unavailable = platforms.filter(({ available }) => !available);
  return (
    <Stack>
      {starting.error && <ErrorState error={starting.error} />}
      <Text size="sm" c="dimmed">
        You give your consent on the page of the network and come back here.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm">
        {platforms
          .filter(({ available }) => available)
          .map((one) => (
            <Button
              key={one.platform}
              variant="default"
              size="md"
              justify="flex-start"
              leftSection={<PlatformIcon platform={one.platform} size={22} />}
              loading={isLeaving && starting.variables === one.platform}
              disabled={isLeaving && starting.variables !== one.platform}
              onClick={() => (fieldsOf(one).length > 0 ? onChoose(one.platform) : starting.mutate(one.platform))}
            >
              {platformName(one.platform)}
            </Button>
          ))}
      </SimpleGrid>
      {unavailable.length > 0 && (
        <Text size="sm" c="dimmed">
          Not set up on this service: {unavailable.map(({ platform }) => platformName(platform)).join(', ')}. Its
          operator can add an application of the network.
        </Text>
      )}
    </Stack>
  );
}
