import type { WorkspaceUser } from '@crier/client';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { crier } from '../../lib/api.ts';
import { workspaceQuery } from '../../lib/brands/workspace.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { keys } from '../../lib/query-keys.ts';
import { isPlaceholder } from './placeholder-email.ts';

/** Explains the consequences. */
export function DetachDialog({ user, opened, onClose }: { user: WorkspaceUser; opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const detaching = useMutation({
    mutationFn: () => crier.detachWorkspaceUser({ userId: user._id }),
    onSuccess: async () => {
      notifications.show({ message: `${user.displayName} is no longer in your workspace.`, withBorder: true });
      onClose();
      await client.invalidateQueries({ queryKey: workspaceQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={`Detach ${user.displayName}?`}
      confirm="Detach"
      opened={opened}
      action={detaching}
      onClose={onClose}
    >
      <Text size="sm">
        You’ll no longer be able to post for this brand. Its connection link and keys from this workspace stop working.{' '}
        {isPlaceholder(user.username)
          ? 'It was added without an email address, so only the operator can give someone access to its account.'
          : 'The account stays with its channels and posts, on the default plan.'}
      </Text>
      <ScheduledPosts userId={user._id} />
    </ConfirmDialog>
  );
}

/** The posts that the owner can't stop once the brand is detached. */
function ScheduledPosts({ userId }: { userId: string }) {
  const { data: scheduled } = useQuery({
    queryKey: [...keys.posts, 'scheduled', userId],
    // Short lists have no total.
    queryFn: async ({ signal }) => {
      const { pagination } = await crier.listPosts({ status: 'scheduled', limit: 1 }, { signal, userId });
      return pagination.totalItems ?? 0;
    },
  });
  if (!scheduled) return null;
  return (
    <Text size="sm">
      {scheduled === 1 ? 'A scheduled post stays' : `${count(scheduled, 'scheduled post')} stay`} scheduled, and you
      won’t be able to stop {scheduled === 1 ? 'it' : 'them'}.{' '}
      <AnchorLink to="/posts" search={{ brand: userId, status: 'scheduled' }} inherit preload={false}>
        {scheduled === 1 ? 'View it' : 'View them'}
      </AnchorLink>
    </Text>
  );
}
