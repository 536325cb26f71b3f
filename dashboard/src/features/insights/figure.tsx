import { Text } from '@mantine/core';
import { platformName } from '../../lib/platform-name.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';

/** A number, or that the network does not report it, which is not zero. */
export function Figure({ value, platform }: { value: number | null; platform: string }) {
  const { locale } = useTimePreferences();
  if (value !== null) return <>{value.toLocaleString(locale)}</>;
  return (
    <Text span c="dimmed" size="sm">
      Not reported by {platformName(platform)}
    </Text>
  );
}
