import { Text } from '@mantine/core';
import { platformName } from '../../lib/platform-name.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';

/** A number, or that the network does not tell it, which is something else than zero. */
export function Figure({ value, platform }: { value: number | null; platform: string }) {
  const { locale } = useTimePreferences();
  if (value !== null) return <>{value.toLocaleString(locale)}</>;
  return (
    <Text span c="dimmed" size="sm">
      Not told by {platformName(platform)}
    </Text>
  );
}
