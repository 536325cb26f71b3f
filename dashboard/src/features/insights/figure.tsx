import { Text } from '@mantine/core';
import { platformName } from '../../lib/platform-name.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';

/** A number, or a note that the network doesn't report it, which isn't zero. */
export function Figure({ value, platform }: { value: number | null; platform: string }) {
  const { locale } = useTimePreferences();
  if (value !== null) return <>{value.toLocaleString(locale)}</>;
  return (
    <Text span c="dimmed" size="sm">
      Not reported by {platformName(platform)}
    </Text>
  );
}
