import { Group, VisuallyHidden } from '@mantine/core';
import { platformName } from '../../lib/platform-name.ts';
import { PlatformIcon } from './platform-icon.tsx';

/** The networks of a post as a row of icons. Screen readers get their names. */
export function NetworkIcons({
  platforms,
  size = 16,
  max = 5,
}: {
  platforms: readonly string[];
  size?: number;
  max?: number;
}) {
  const distinct = [...new Set(platforms)];
  return (
    <Group gap={4} wrap="nowrap" title={networkNames(platforms)}>
      {distinct.slice(0, max).map((platform) => (
        <PlatformIcon key={platform} platform={platform} size={size} />
      ))}
      {distinct.length > max && (
        <span aria-hidden style={{ whiteSpace: 'nowrap' }}>
          +{distinct.length - max}
        </span>
      )}
      <VisuallyHidden>{networkNames(platforms)}</VisuallyHidden>
    </Group>
  );
}

export const networkNames = (platforms: readonly string[]): string =>
  platforms.length === 0 ? 'No channel yet' : [...new Set(platforms.map(platformName))].join(', ');
