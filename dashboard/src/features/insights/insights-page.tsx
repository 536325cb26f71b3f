import { type Connection, CrierError } from '@crier/client';
import { Group, NativeSelect, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChannelAvatar, channelName } from '../../components/channels/avatar.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { channelsQuery } from '../../lib/queries.ts';
import { DailyNumbers } from './daily-numbers.tsx';
import { FollowersOverTime } from './followers-over-time.tsx';
import { hasNumbers, hasNumbersByDay, platformsWithNumbers, profileNumbersQuery } from './insights-queries.ts';
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
    channels?.find(({ platform }) => hasNumbers(platform)) ??
    channels?.[0];
  return (
    <>
      <PageHeader title="Insights" about="Channel and post statistics from your networks.">
        {!channels && !error && <Skeleton height={36} width={276} />}
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
      {!channels && !error && <Loading />}
      {channels && !shown && <NoChannels />}
      {shown && <ChannelInsights key={shown.platformId} channel={shown} />}
    </>
  );
}

/** Placeholder for figures and chart. */
function Loading() {
  return (
    <Stack role="status" aria-busy="true" aria-label="Loading channels">
      <SimpleGrid cols={{ base: 2, sm: 3 }}>
        {['followers', 'following', 'posts'].map((figure) => (
          <Skeleton key={figure} height={92} />
        ))}
      </SimpleGrid>
      <Skeleton height={14} width={160} mt="md" />
      <Skeleton height={220} />
    </Stack>
  );
}

function ChannelInsights({ channel: { platformId, platform } }: { channel: Connection }) {
  // Every part would fail with the same error.
  const { error } = useQuery({ ...profileNumbersQuery(platformId), enabled: hasNumbers(platform) });
  if (!hasNumbers(platform)) {
    return (
      <EmptyState icon={IconChartBar} title={`No statistics from ${platformName(platform)}`}>
        Crier reads statistics from {new Intl.ListFormat('en-GB').format(platformsWithNumbers.map(platformName))}. View
        this channel’s statistics on {platformName(platform)}.
      </EmptyState>
    );
  }
  if (error instanceof CrierError && error.code === 'ANALYTICS_PLAN_REQUIRED') return <PlanRequired />;
  return (
    <Stack gap="xl" mt="lg">
      <Part title="Account">
        <ProfileNumbers channel={platformId} platform={platform} />
      </Part>
      <Part title={hasNumbersByDay(platform) ? 'New followers per day' : 'Followers over time'}>
        <FollowersOverTime channel={platformId} platform={platform} />
      </Part>
      {hasNumbersByDay(platform) && (
        <Part title="Last 30 days" about="All posts on this account, by day (UTC).">
          <DailyNumbers channel={platformId} platform={platform} />
        </Part>
      )}
      <Part title="Posts" about="The 20 most recently published posts.">
        <PostNumbers channel={platformId} platform={platform} />
      </Part>
    </Stack>
  );
}

const PlanRequired = () => (
  <EmptyState
    icon={IconChartBar}
    title="Your plan doesn’t include insights"
    action={
      <ButtonLink to="/settings/usage" variant="default">
        Usage and plan
      </ButtonLink>
    }
  >
    The Pro, Premium and Agency plans include insights. To change your plan, ask the operator.
  </EmptyState>
);

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
    action={
      <ButtonLink to="/channels" search={{ add: 'networks' }}>
        Add channel
      </ButtonLink>
    }
  >
    Connect a channel to see its followers, reactions, comments and reposts.
  </EmptyState>
);
