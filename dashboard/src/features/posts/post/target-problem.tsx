import type { PlatformPost, PostGroup } from '@crier/client';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconClock, IconCopy, IconQuestionMark } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ButtonLink } from '../../../components/links.tsx';
import { notifyError } from '../../../components/notify.tsx';
import { asOwnerOfPost, searchOf } from '../../../lib/brands/brand.ts';
import { useBrandOf } from '../../../lib/brands/use-brands.ts';
import { channelIdOf, platformName } from '../../../lib/platform-name.ts';
import { inOurWords, withoutAdvice, withoutReconnect } from '../../../lib/posts/messages.ts';
import { postsApi } from '../../../lib/posts/posts-api.ts';
import { channelsQuery } from '../../../lib/queries.ts';
import { keys } from '../../../lib/query-keys.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatTime } from '../../../lib/time/time.ts';
import { adviceFor, type ChannelState, copiedWith, isRetryable, isUnknown } from './details.ts';
import { useDuplicate } from './use-duplicate.ts';

/** Why a target isn't published, and what to do. */
export function TargetProblem({ target, post }: { target: PlatformPost; post: PostGroup }) {
  const channelOf = useChannelStates();
  if (target.retry) return <Waiting target={target} retry={target.retry} />;
  const channel = channelOf(target);
  const isWaiting = post.status === 'scheduled' && target.status === 'scheduled';
  if (isWaiting && channel === 'gone') return <Stranded target={target} postGroupId={post.postGroupId} />;
  if (!target.error) return null;
  const { error } = target;
  const advice = adviceFor(target, channel);
  const canRetry = isRetryable(target, channel);
  const unknown = isUnknown(target);
  const Icon = unknown ? IconQuestionMark : IconAlertTriangle;
  return (
    <Alert
      color={unknown ? 'orange' : 'red'}
      variant="light"
      icon={<Icon aria-hidden />}
      title={unknown ? 'Crier doesn’t know whether this was published' : withoutReconnect(inOurWords(error.message))}
    >
      <Text size="sm">{advice?.text}</Text>
      {error.platformError && error.platformError !== error.message && (
        <Text size="sm" mt={4}>
          {platformName(target.platform)} said: <q dir="auto">{error.platformError}</q>
        </Text>
      )}
      <Group mt="sm" gap="sm">
        {canRetry && <RetryButton postGroupId={post.postGroupId} platform={target.platform} />}
        {advice?.action === 'reconnect' && (
          <ButtonLink
            to="/channels"
            search={{ add: target.platform, reconnect: channelIdOf(target) }}
            size="xs"
            color="red.9"
          >
            Reconnect
          </ButtonLink>
        )}
        {advice?.isCopyOffered && !canRetry && (
          <CopyButton post={post} targets={copiedWith(target, post.posts, channelOf)} />
        )}
      </Group>
    </Alert>
  );
}

/** Scheduled for a channel that was disconnected since. */
function Stranded({ target, postGroupId }: { target: PlatformPost; postGroupId: string }) {
  const brand = useBrandOf()(asOwnerOfPost(postGroupId));
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={`This post can’t be published on ${platformName(target.platform)}`}
    >
      <Text size="sm">The channel was disconnected. Edit the post to choose another one.</Text>
      <ButtonLink to="/compose/$postGroupId" params={{ postGroupId }} search={searchOf(brand)} size="xs" mt="sm">
        Choose another channel
      </ButtonLink>
    </Alert>
  );
}

/** While the channels load, none counts as disconnected. */
function useChannelStates() {
  const { data: channels } = useQuery(channelsQuery);
  return (target: PlatformPost): ChannelState => {
    const channel = channels?.find(({ platformId }) => platformId === channelIdOf(target));
    if (channel) return channel.connectionStatus === 'reconnect_required' ? 'expired' : 'works';
    return channels ? 'gone' : 'expired';
  };
}

function RetryButton({ postGroupId, platform }: { postGroupId: string; platform: string }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => postsApi.retryPost(postGroupId),
    onError: (error) => notifyError(`Couldn’t retry on ${platformName(platform)}`, error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.post(postGroupId) }),
  });
  return (
    <Button size="xs" color="red.9" variant="filled" loading={retry.isPending} onClick={() => retry.mutate()}>
      Try again
    </Button>
  );
}

/** Creates a copy for the failed targets only. */
function CopyButton({ post, targets }: { post: PostGroup; targets: readonly PlatformPost[] }) {
  const { mutate, isPending } = useDuplicate(post);
  const names = [...new Set(targets.map(({ platform }) => platformName(platform)))];
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCopy size={14} aria-hidden />}
      loading={isPending}
      onClick={() => mutate(targets.map(channelIdOf))}
    >
      Make a copy for {new Intl.ListFormat('en-GB').format(names)}
    </Button>
  );
}

function Waiting({ target, retry }: { target: PlatformPost; retry: NonNullable<PlatformPost['retry']> }) {
  const preferences = useTimePreferences();
  const next = retry.nextAttemptAt
    ? `Crier will retry at ${formatTime(retry.nextAttemptAt, preferences)}. No action needed.`
    : 'Crier is retrying now.';
  return (
    <Alert
      color="blue"
      variant="light"
      icon={<IconClock aria-hidden />}
      title={`Not published on ${platformName(target.platform)} yet`}
    >
      <Text size="sm">
        {withoutAdvice(inOurWords(retry.error.message))} {next}
      </Text>
    </Alert>
  );
}
