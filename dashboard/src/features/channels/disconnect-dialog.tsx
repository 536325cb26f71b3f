import type { Connection } from '@crier/client';
import { Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { channelName } from '../../components/channels/avatar.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { crier } from '../../lib/api.ts';
import { platformName } from '../../lib/platform-name.ts';
import { count } from '../../lib/post-summary.ts';
import { postsApi } from '../../lib/posts-api.ts';
import { keys } from '../../lib/query-keys.ts';

/** Says what happens to the scheduled posts before the account is disconnected. */
export function DisconnectDialog({
  channel,
  opened,
  onClose,
}: {
  channel: Connection;
  opened: boolean;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const { platformId } = channel;
  const name = `${channelName(channel)} on ${platformName(channel.platform)}`;
  const disconnection = useMutation({
    mutationFn: () => crier.deleteConnection({ platformId }),
    onSuccess: async () => {
      notifications.show({ message: `${name} is disconnected.`, withBorder: true });
      onClose();
      await client.invalidateQueries({ queryKey: keys.channels });
    },
  });
  return (
    <ConfirmDialog
      title={`Disconnect ${name}?`}
      confirm="Disconnect"
      cancel="Keep"
      opened={opened}
      action={disconnection}
      onClose={onClose}
    >
      <Scheduled platformId={platformId} />
      <Text size="sm">
        What is already published stays on {platformName(channel.platform)}. The access that Crier has is deleted. You
        can connect the account again at any time.
      </Text>
    </ConfirmDialog>
  );
}

const most = 1000;

function Scheduled({ platformId }: { platformId: string }) {
  const scheduled = useQuery({
    queryKey: [...keys.posts, 'scheduled-on', platformId],
    queryFn: ({ signal }) =>
      postsApi.listCompact({ status: 'scheduled', channel: platformId, limit: most, sortBy: 'scheduledTime' }, signal),
  });
  if (scheduled.isPending) return <Skeleton height={20} />;
  if (scheduled.error) return <ErrorState error={scheduled.error} onRetry={() => void scheduled.refetch()} />;
  const { posts, pagination } = scheduled.data;
  if (posts.length === 0) return <Text size="sm">No scheduled post goes to this channel.</Text>;
  const many = pagination.hasNextPage
    ? `More than ${count(most, 'scheduled post')}`
    : count(posts.length, 'scheduled post');
  return (
    <Text size="sm" fw={500}>
      {many} {posts.length === 1 ? 'goes' : 'go'} to this channel.{' '}
      {posts.length === 1 ? 'It becomes a draft' : 'They become drafts'} at the scheduled time and{' '}
      {posts.length === 1 ? 'is' : 'are'} not published there.{' '}
      <AnchorLink to="/posts" search={{ status: 'scheduled', channel: platformId }}>
        Look at {posts.length === 1 ? 'it' : 'them'}
      </AnchorLink>
    </Text>
  );
}
