import { Text, Tooltip } from '@mantine/core';
import { useTimePreferences } from '../lib/time/preferences.ts';
import { formatDateTime, formatDay, formatRelative, formatTime, zoneNameAt } from '../lib/time/time.ts';

/** A relative time, with date and time on hover. */
export function Ago({ at, never = 'Never' }: { at: string | null; never?: string }) {
  const preferences = useTimePreferences();
  if (!at) return <Text span>{never}</Text>;
  return (
    <Tooltip label={`${formatDateTime(at, preferences)} ${zoneNameAt(at, preferences)}`}>
      <time dateTime={at}>{formatRelative(at, preferences)}</time>
    </Tooltip>
  );
}

/** Date and time. */
export function At({ at }: { at: string }) {
  const preferences = useTimePreferences();
  return <time dateTime={at}>{formatDateTime(at, preferences)}</time>;
}

/** Date and time with seconds, as in a log. */
export function LoggedAt({ at }: { at: string }) {
  const preferences = useTimePreferences();
  return (
    <time dateTime={at}>
      {formatDay(at, preferences)}, {formatTime(at, preferences, '2-digit')}
    </time>
  );
}
