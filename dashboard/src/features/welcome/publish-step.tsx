import type { Connection } from '@crier/client';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { channelName } from '../../components/channel-avatar.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { crier } from '../../lib/api.ts';
import { platformName } from '../../lib/platform-name.ts';
import { postQuery } from '../../lib/queries.ts';

/** Publishes the post and shows what becomes of it while it happens. */
export function PublishStep({
  channel,
  text,
  onBack,
  onPublished,
}: {
  channel: Connection;
  text: string;
  onBack: () => void;
  onPublished: () => void;
}) {
  const publishing = useMutation({
    mutationFn: () => crier.createPost({ content: text, platforms: [channel.platformId], publishNow: true }),
    onSuccess: onPublished,
  });
  if (publishing.data) return <Progress postGroupId={publishing.data.postGroupId} />;
  return (
    <Stack>
      {publishing.error && <ErrorState error={publishing.error} />}
      <Text c="dimmed">
        The post goes to {channelName(channel)} on {platformName(channel.platform)} at once.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack} disabled={publishing.isPending}>
          Change the text
        </Button>
        <Button loading={publishing.isPending} onClick={() => publishing.mutate()}>
          Publish now
        </Button>
      </Group>
    </Stack>
  );
}

/** The events of the service bring the new states here. */
function Progress({ postGroupId }: { postGroupId: string }) {
  const { data: post, error } = useQuery(postQuery(postGroupId));
  if (error) return <ErrorState error={error} />;
  const target = post?.posts[0];
  const status = target?.status ?? 'pending';
  return (
    <Stack gap="sm" role="status">
      <Group>
        <StatusBadge status={status} size="lg" />
        {target?.permalink && (
          <Anchor href={target.permalink} target="_blank" rel="noreferrer noopener" fw={500}>
            Open on {platformName(target.platform)} <IconExternalLink size={14} aria-hidden />
          </Anchor>
        )}
        <AnchorLink to="/posts/$postGroupId" params={{ postGroupId }}>
          Details
        </AnchorLink>
      </Group>
      <Text>{words[status] ?? 'Your post is on its way.'}</Text>
    </Stack>
  );
}

const words: Record<string, string> = {
  published: 'Your first post is published. From now on you can plan posts in the calendar.',
  posted: 'Your first post is published. From now on you can plan posts in the calendar.',
  failed: 'The network did not take the post. The details say why and what to do.',
};
