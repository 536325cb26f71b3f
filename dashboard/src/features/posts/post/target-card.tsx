import type { PlatformPost, PostGroup } from '@crier/client';
import { Card, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ChannelAvatar, channelName } from '../../../components/channels/avatar.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { OutsideLink } from '../../../components/outside-link.tsx';
import { ArrivingStatus } from '../../../components/status/arriving-status.tsx';
import { channelIdOf, platformName } from '../../../lib/platform-name.ts';
import { channelsQuery } from '../../../lib/queries.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import { logsQuery } from '../list/queries.ts';
import { isUnknown, publishedAt } from './details.ts';
import { FirstComments } from './first-comments.tsx';
import { TargetMedia } from './media.tsx';
import { TargetProblem } from './target-problem.tsx';
import { ThreadParts } from './thread-parts.tsx';

/** The post on one channel: status, text as sent, and errors. */
export function TargetCard({ target, post }: { target: PlatformPost; post: PostGroup }) {
  const name = platformName(target.platform);
  return (
    <Card withBorder padding="lg" component="section" aria-label={name}>
      <Stack gap="sm">
        <Channel target={target} />
        {target.isThread && target.threadParts.length > 0 ? (
          <ThreadParts parts={target.threadParts} />
        ) : (
          <Text dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
            {target.content || 'No text'}
          </Text>
        )}
        <TargetMedia target={target} media={post.media} />
        <TargetProblem target={target} post={post} />
        <FirstComments planned={post.firstComments} target={target} />
        {(target.permalink || isOver(target)) && (
          <Group justify="space-between" gap="xs">
            <PublishedAt postGroupId={post.postGroupId} target={target} />
            {target.permalink && (
              <OutsideLink href={target.permalink} size="sm" fw={500}>
                Open on {name} <IconExternalLink size={14} aria-hidden style={{ verticalAlign: -2 }} />
              </OutsideLink>
            )}
          </Group>
        )}
      </Stack>
    </Card>
  );
}

const isOver = ({ status }: PlatformPost) => status === 'published' || status === 'failed';

function Channel({ target }: { target: PlatformPost }) {
  const { data: channels } = useQuery(channelsQuery);
  const channel = channels?.find(({ platformId }) => platformId === channelIdOf(target));
  const name = platformName(target.platform);
  return (
    <Group gap="sm" wrap="nowrap">
      {channel ? <ChannelAvatar channel={channel} /> : <PlatformIcon platform={target.platform} size={28} />}
      <div style={{ minWidth: 0, flex: 1 }}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600} component="h2" size="md">
            {name}
          </Text>
          <ArrivingStatus status={isUnknown(target) ? 'unknown' : target.status} flex="none" />
        </Group>
        <Text size="sm" c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {channel ? channelName(channel) : 'Channel disconnected'}
        </Text>
      </div>
    </Group>
  );
}

function PublishedAt({ postGroupId, target }: { postGroupId: string; target: PlatformPost }) {
  const preferences = useTimePreferences();
  const { data: logs = [] } = useQuery(logsQuery(postGroupId));
  const time = target.status === 'published' ? publishedAt(logs, target._id) : (target.error?.failedAt ?? null);
  if (!time) return <span />;
  return (
    <Text size="sm" c="dimmed">
      {target.status === 'published' ? 'Published' : 'Failed'} {formatDateTime(time, preferences)}
    </Text>
  );
}
