import type { Connection, PlatformPost, PostGroup } from '@crier/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { PlatformIcon } from '../../components/channels/platform-icon.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { RingingBell } from '../../components/illustrations/illustrations.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { ArrivingStatus } from '../../components/status/arriving-status.tsx';
import { crier } from '../../lib/api.ts';
import { platformName } from '../../lib/platform-name.ts';
import { isPublished, namesOf, networksOf, outcomeOf } from './first-post.ts';

/** Publishes the post to all channels that support it, and shows its progress. */
export function PublishStep({
  channels,
  others,
  text,
  picture,
  post,
  onBack,
  onPublish,
}: {
  channels: readonly Connection[];
  /** Channels that need an image or video. */
  others: readonly Connection[];
  text: string;
  picture: File | null;
  /** The published post, once loaded. */
  post: PostGroup | undefined;
  onBack: () => void;
  onPublish: (postGroupId: string) => void;
}) {
  const draft = useRef<string | null>(null);
  const isUploaded = useRef(false);
  const publishing = useMutation({
    mutationFn: async () => {
      const platforms = channels.map(({ platformId }) => platformId);
      if (!picture) return crier.createPost({ content: text, platforms, publishNow: true });
      // After a failure, the next click goes on with the same post.
      draft.current ??= (await crier.createPost({ content: text, platforms, status: 'draft' })).postGroupId;
      const postGroupId = draft.current;
      if (!isUploaded.current) await crier.uploadMedia(picture, { postGroupId, fileName: picture.name });
      isUploaded.current = true;
      await crier.updatePost({ postGroupId, publishNow: true });
      return { postGroupId };
    },
    onSuccess: ({ postGroupId }) => onPublish(postGroupId),
  });
  // The step may be off screen. Focus scrolls it into view and moves keyboard users there.
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  if (publishing.data) return <Progress postGroupId={publishing.data.postGroupId} targets={post?.posts ?? []} />;
  return (
    <Stack>
      {publishing.error && <ErrorState error={publishing.error} />}
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        This publishes the post to {channels.length > 6 ? `${channels.length} channels` : namesOf(channels)} now.
        {others.length > 0 && ` It skips ${networksOf(others)}: posts there need an image or video.`}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack} disabled={publishing.isPending}>
          Edit text
        </Button>
        <Button ref={button} loading={publishing.isPending} onClick={() => publishing.mutate()}>
          Publish now
        </Button>
      </Group>
    </Stack>
  );
}

/** Updated by live events. */
function Progress({ postGroupId, targets }: { postGroupId: string; targets: readonly PlatformPost[] }) {
  return (
    <Stack gap="sm">
      <Group gap="sm" wrap="nowrap">
        {isPublished(targets) && <RingingBell />}
        <Text role="status">{outcomeOf(targets)}</Text>
      </Group>
      {targets.map(({ platformId, platform, status, permalink }) => (
        <Group key={platformId} gap="xs" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <PlatformIcon platform={platform} style={{ flex: 'none' }} />
            {permalink ? (
              <OutsideLink href={permalink} size="sm" fw={500}>
                Open on {platformName(platform)}{' '}
                <IconExternalLink size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} />
              </OutsideLink>
            ) : (
              <Text size="sm">{platformName(platform)}</Text>
            )}
          </Group>
          <ArrivingStatus status={status} before="pending" flex="none" />
        </Group>
      ))}
      <AnchorLink to="/posts/$postGroupId" params={{ postGroupId }}>
        Details
      </AnchorLink>
    </Stack>
  );
}
