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
import { count } from '../../lib/posts/post-summary.ts';
import { postsApi } from '../../lib/posts/posts-api.ts';
import { keys } from '../../lib/query-keys.ts';

/** Explains what happens to scheduled posts before disconnecting the account. */
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
      notifications.show({ message: `Disconnected ${name}.`, withBorder: true });
      onClose();
      await client.invalidateQueries({ queryKey: keys.channels });
    },
  });
  return (
    <ConfirmDialog
      title={`Disconnect ${name}?`}
      confirm="Disconnect"
      opened={opened}
      action={disconnection}
      onClose={onClose}
    >
      <Scheduled platformId={platformId} />
      <Text size="sm">
        Published posts stay on {platformName(channel.platform)}. Crier loses access to the account, but you can
        reconnect it at any time.
      </Text>
    </ConfirmDialog>
  );
}

const maxListed = 1000;

function Scheduled({ platformId }: { platformId: string }) {
  const scheduled = useQuery({
    queryKey: [...keys.posts, 'scheduled-on', platformId],
    queryFn: ({ signal }) =>
      postsApi.listCompact(
        { status: 'scheduled', channel: platformId, limit: maxListed, sortBy: 'scheduledTime' },
        signal,
      ),
  });
  if (scheduled.isPending) return <Skeleton height={20} />;
  if (scheduled.error) return <ErrorState error={scheduled.error} onRetry={() => void scheduled.refetch()} />;
  const { posts, pagination } = scheduled.data;
  if (posts.length === 0) return <Text size="sm">No posts are scheduled for this channel.</Text>;
  const many = pagination.hasNextPage ? `More than ${count(maxListed, 'post')}` : count(posts.length, 'post');
  return (
    <Text size="sm" fw={500}>
      {many} {posts.length === 1 ? 'is' : 'are'} scheduled for this channel.{' '}
      {posts.length === 1
        ? 'It won’t be published there. If it has no other channel, it becomes a draft at its scheduled time.'
        : 'They won’t be published there. Those with no other channel become drafts at their scheduled time.'}{' '}
      <AnchorLink to="/posts" search={{ status: 'scheduled', channel: platformId }}>
        View {posts.length === 1 ? 'it' : 'them'}
      </AnchorLink>
    </Text>
  );
}
