import { Button, Group, Text } from '@mantine/core';
import { canPlayHevc, hevcAdvice } from '../../lib/files/hevc.ts';

/** What will happen to an HEVC video, before it is uploaded. Follows the selected channels. */
export function HevcQuestion({
  platforms,
  name,
  onUpload,
}: {
  platforms: readonly string[];
  name: string;
  onUpload: () => void;
}) {
  const { kind, message } = hevcAdvice(platforms, canPlayHevc());
  return (
    <>
      {message && (
        <Text size="sm" mt={4} role="alert" c={kind === 'refused' ? 'var(--mantine-color-error)' : undefined}>
          {message}
        </Text>
      )}
      {kind !== 'refused' && (
        <Group mt={4}>
          <Button size="compact-xs" variant="default" onClick={onUpload} aria-label={`Upload anyway: ${name}`}>
            Upload anyway
          </Button>
        </Group>
      )}
    </>
  );
}
