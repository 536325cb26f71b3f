import { Button, Group, Stack, Text } from '@mantine/core';
import { channelName } from '../../components/channels/avatar.tsx';
import { PlatformIcon } from '../../components/channels/platform-icon.tsx';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { useBrandOf } from '../../lib/brands/use-brands.ts';
import { platformName, platformOf } from '../../lib/platform-name.ts';
import { withoutReconnect } from '../../lib/posts/messages.ts';
import { count, firstWords, type PostSummary, reasonOf } from '../../lib/posts/post-summary.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { healthLabel } from '../channels/channel-list.ts';
import type { Trouble } from './attention.ts';
import { useDismiss } from './dismissed.ts';
import { RetryButton } from './retry-button.tsx';

/** A channel, what is wrong with it or its posts, and the action that fixes it. */
export function TroubledChannel({
  trouble,
  onAct,
  withPosts = false,
}: {
  trouble: Trouble;
  onAct?: () => void;
  /** Also lists the posts that failed. */
  withPosts?: boolean;
}) {
  const { channel, platformId, isBroken, toRetry } = trouble;
  const preferences = useTimePreferences();
  const platform = platformOf(platformId);
  const brand = useBrandOf()(channel ?? trouble.stranded[0] ?? trouble.failed[0]!);
  const about = [
    brand?.name,
    platformName(platform),
    channel && isBroken && healthLabel(channel, preferences),
    trouble.risk,
    trouble.failed.length > 0 && `${count(trouble.failed.length, 'post')} failed`,
  ];
  return (
    <Stack gap={6} role="group" aria-label={`${nameOf(trouble)} on ${platformName(platform)}`}>
      <Group gap="sm" wrap="nowrap" justify="space-between">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <PlatformIcon platform={platform} size={18} style={{ flex: 'none' }} />
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600} truncate>
              <bdi>{nameOf(trouble)}</bdi>
            </Text>
            <Text size="xs" c="dimmed">
              {about.filter(Boolean).join(' · ')}
            </Text>
          </div>
        </Group>
        {isBroken && (
          <ButtonLink
            size="xs"
            flex="none"
            to="/channels"
            search={{ add: platform, reconnect: platformId, brand: brand?.id }}
            preload={false}
            {...(onAct && { onClick: onAct })}
          >
            Reconnect
          </ButtonLink>
        )}
        {trouble.stranded.length > 0 && (
          <ButtonLink
            size="xs"
            flex="none"
            to="/posts"
            search={{ status: 'scheduled', channel: platformId, brand: brand?.id }}
            {...(onAct && { onClick: onAct })}
          >
            Show posts
          </ButtonLink>
        )}
        {!isBroken && toRetry.length > 0 && <RetryButton posts={toRetry} />}
      </Group>
      {trouble.stranded.length > 0 && (
        <Text size="xs" pl={28}>
          Edit {trouble.stranded.length === 1 ? 'it' : 'them'} to choose another channel.
        </Text>
      )}
      {withPosts && trouble.failed.length > 0 && (
        <FailedPosts platformId={platformId} posts={trouble.failed} onAct={onAct} />
      )}
    </Stack>
  );
}

const nameOf = ({ channel }: Trouble) => (channel ? channelName(channel) : 'Disconnected channel');

const maxShown = 3;

function FailedPosts({
  platformId,
  posts,
  onAct,
}: {
  platformId: string;
  posts: readonly PostSummary[];
  onAct: (() => void) | undefined;
}) {
  const brandOf = useBrandOf();
  const dismiss = useDismiss();
  const act = onAct && { onClick: onAct };
  return (
    <Stack gap={6} pl={28}>
      {[...byReason(platformId, posts.slice(0, maxShown))].map(([reason, failed]) => (
        <div key={reason}>
          {failed.map((post) => (
            <AnchorLink
              key={post.postGroupId}
              size="sm"
              lineClamp={1}
              to="/posts/$postGroupId"
              params={{ postGroupId: post.postGroupId }}
              search={{ brand: brandOf(post)?.id }}
              dir="auto"
              {...act}
            >
              {firstWords(post.content, 60)}
            </AnchorLink>
          ))}
          <Text size="xs" c="dimmed" lineClamp={2}>
            {reason}
          </Text>
        </div>
      ))}
      <Group gap="md">
        {posts.length > maxShown && (
          <AnchorLink
            size="sm"
            to="/posts"
            search={{ status: 'failed', channel: platformId, brand: brandOf(posts[0]!)?.id }}
            {...act}
          >
            View all {posts.length}
          </AnchorLink>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          ml="auto"
          aria-label={`Dismiss ${count(posts.length, 'failed post')}`}
          onClick={() => dismiss(posts)}
        >
          Dismiss
        </Button>
      </Group>
    </Stack>
  );
}

/** Posts that failed for the same reason share its line. */
const byReason = (platformId: string, posts: readonly PostSummary[]) =>
  Map.groupBy(posts, ({ platforms }) =>
    withoutReconnect(reasonOf({ platforms: platforms.filter((target) => target.platformId === platformId) }) ?? ''),
  );
