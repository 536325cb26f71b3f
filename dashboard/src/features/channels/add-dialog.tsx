import type { ConnectablePlatform, Connection } from '@crier/client';
import { Alert, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { channelName } from '../../components/channels/avatar.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { dashboardSettingsQuery } from '../../lib/dashboard-settings.ts';
import { platformName } from '../../lib/platform-name.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { accountQuery } from '../../lib/queries.ts';
import { connectablesQuery, fieldsOf, type Outcome, type ReturnPage } from './connect.ts';
import { ConnectForm } from './connect-form.tsx';
import { NetworkButtons } from './network-buttons.tsx';
import { useConnecting } from './use-connecting.ts';

/** Shows the list of networks, or the form of `network`. */
export function AddDialog({
  network,
  reconnected,
  returnTo,
  onChoose,
  onClose,
  onOutcome,
}: {
  network: string | null;
  /** The channel that should work again. */
  reconnected?: Connection | undefined;
  returnTo: ReturnPage;
  onChoose: (network: string) => void;
  onClose: () => void;
  onOutcome: (outcome: Outcome) => void;
}) {
  const { data: platforms, error, refetch } = useQuery(connectablesQuery);
  const chosen = platforms?.find(({ platform }) => platform === network);
  return (
    <Modal opened={network !== null} onClose={onClose} title={titleOf(chosen, reconnected)} size="lg" centered>
      {network !== null && !reconnected && <LimitWarning />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!platforms && !error && <Skeleton height={220} />}
      {platforms && !chosen && (
        <Networks platforms={platforms} returnTo={returnTo} onChoose={onChoose} onOutcome={onOutcome} />
      )}
      {chosen && (
        <ConnectForm
          key={chosen.platform}
          platform={chosen}
          reconnected={reconnected}
          returnTo={returnTo}
          onBack={reconnected ? onClose : () => onChoose('networks')}
          onOutcome={onOutcome}
        />
      )}
    </Modal>
  );
}

function titleOf(chosen: ConnectablePlatform | undefined, reconnected: Connection | undefined): string {
  if (!chosen) return 'Add channel';
  const name = platformName(chosen.platform);
  return reconnected ? `Reconnect ${channelName(reconnected)} on ${name}` : `Connect ${name}`;
}

/** Warns before the user grants access that can't be used. */
function LimitWarning() {
  const { data: account } = useQuery(accountQuery);
  const { limit = null, used = 0 } = account?.quotas.connections ?? {};
  if (limit === null || used < limit) return null;
  return (
    <Alert color="orange" mb="md" title={`You’re using ${used} of ${count(limit, 'channel')} in your plan`}>
      Disconnect a channel to make room, or{' '}
      <AnchorLink to="/settings/usage" inherit c="inherit">
        view plan limits
      </AnchorLink>
      . You can still reconnect existing channels.
    </Alert>
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
  const connecting = useConnecting({ returnTo, onChoose, onOutcome });
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const available = platforms.filter((one) => one.available);
  const unavailable = platforms.filter((one) => !one.available);
  const needsForm = (one: ConnectablePlatform) => fieldsOf(one).length > 0;
  return (
    <Stack>
      {connecting.error && <ErrorState error={connecting.error} />}
      <NetworkButtons
        label="Approve access on the network’s site, then return here."
        platforms={available.filter((one) => !needsForm(one))}
        connecting={connecting}
        hasFocus
      />
      <NetworkButtons
        label={`These need a few details first.${settings?.sandboxUrl ? ' In the sandbox, you don’t need real credentials.' : ''}`}
        platforms={available.filter(needsForm)}
        connecting={connecting}
      />
      {unavailable.length > 0 && (
        <Text size="sm" c="dimmed">
          Not set up on this server: {unavailable.map(({ platform }) => platformName(platform)).join(', ')}. The
          operator can enable a network by registering an app with it.
        </Text>
      )}
    </Stack>
  );
}
