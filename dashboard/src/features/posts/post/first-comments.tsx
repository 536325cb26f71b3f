import type { FirstCommentResult, PlatformPost, PostGroup } from '@crier/client';
import { Group, Stack, Text } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime, type TimePreferences } from '../../../lib/time/time.ts';

/** First comments on this network with their results. */
export function FirstComments({ planned, target }: { planned: PostGroup['firstComments']; target: PlatformPost }) {
  const preferences = useTimePreferences();
  const comments = planned
    .map(({ text, platforms }, index) => ({
      text,
      platforms,
      index,
      result: target.firstCommentResults[index] ?? null,
    }))
    .filter(({ platforms }) => !platforms?.length || platforms.includes(target.platform));
  if (comments.length === 0) return null;
  return (
    <Stack gap="xs" component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }} aria-label="First comments">
      {comments.map(({ index, text, result }) => (
        <Group key={index} component="li" gap="xs" wrap="nowrap" align="flex-start">
          <IconMessageCircle size={18} stroke={1.6} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <div style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" dir="auto">
              {text}
            </Text>
            <Group gap="xs" mt={2}>
              <Text size="sm" c={result?.error ? 'red' : 'dimmed'}>
                {outcomeOf(result, preferences)}
              </Text>
              {result && result.status !== 'posted' && <StatusBadge status={result.status} size="sm" flex="none" />}
            </Group>
          </div>
        </Group>
      ))}
    </Stack>
  );
}

function outcomeOf(result: FirstCommentResult | null, preferences: TimePreferences): string {
  if (!result) return 'Will be added once the post is published.';
  const { status, error, postedAt, dueAt, skipReason } = result;
  if (error?.outcomeUnknown)
    return 'The network didn’t respond, so the comment may have been posted. Check before you post it again.';
  if (error) return error.message;
  if (status === 'posted' && postedAt) return `Posted ${formatDateTime(postedAt, preferences)}`;
  if (status === 'pending' && dueAt) return `Due ${formatDateTime(dueAt, preferences)}`;
  if (status === 'skipped')
    return skipReason === 'unsupported_platform' ? 'This network doesn’t support comments.' : 'Not posted.';
  return '';
}
