import type { Connection } from '@crier/client';
import { Group, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChannelAvatar, channelName } from '../../components/channel-avatar.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { platformName } from '../../components/platform-icon.tsx';
import { channelsQuery } from '../../lib/queries.ts';
import { FollowerGrowth } from './follower-growth.tsx';
import { hasNumbers } from './insights-queries.ts';
import { PostNumbers } from './post-numbers.tsx';
import { ProfileNumbers } from './profile-numbers.tsx';

export function InsightsPage({
  channel,
  onChannel,
}: {
  channel: string | undefined;
  onChannel: (channel: string) => void;
}) {
  const { data: channels, error, refetch } = useQuery(channelsQuery);
  const shown =
    channels?.find(({ platformId }) => platformId === channel) ??
    channels?.find(({ platformId }) => hasNumbers(platformId)) ??
    channels?.[0];
  return (
    <>
      <PageHeader title="Insights" about="What your networks tell about your channels and posts.">
        {channels && shown && (
          <Group gap="sm" wrap="nowrap">
            <ChannelAvatar channel={shown} />
            <NativeSelect
              aria-label="Channel"
              value={shown.platformId}
              onChange={(event) => onChannel(event.currentTarget.value)}
              data={channels.map((each) => ({
                value: each.platformId,
                label: `${channelName(each)} (${platformName(each.platform)})`,
              }))}
            />
          </Group>
        )}
      </PageHeader>
      {!channels && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!channels && !error && <Skeleton height={320} role="status" aria-label="Loading the channels" />}
      {channels && !shown && <NoChannels />}
      {shown && <OfChannel key={shown.platformId} channel={shown} />}
    </>
  );
}

function OfChannel({ channel: { platformId, platform } }: { channel: Connection }) {
  if (!hasNumbers(platformId)) {
    return (
      <EmptyState icon={IconChartBar} title={`No numbers from ${platformName(platform)}`}>
        Crier reads statistics from Mastodon, Bluesky and LinkedIn. {platformName(platform)} shows them on its own
        pages.
      </EmptyState>
    );
  }
  return (
    <Stack gap="xl">
      <Part title="Account">
        <ProfileNumbers channel={platformId} />
      </Part>
      {platform === 'linkedin' && (
        <Part title="New followers">
          <FollowerGrowth channel={platformId} />
        </Part>
      )}
      <Part title="Posts" about="The latest that are published, up to 20.">
        <PostNumbers channel={platformId} />
      </Part>
    </Stack>
  );
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb={about ? 2 : 'sm'}>
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed" mb="sm">
          {about}
        </Text>
      )}
      {children}
    </section>
  );
}

const NoChannels = () => (
  <EmptyState
    icon={IconChartBar}
    title="No channels yet"
    action={<ButtonLink to="/channels">Connect a channel</ButtonLink>}
  >
    Followers, reactions, comments and reposts of your channels are shown here.
  </EmptyState>
);
