import type { ConnectablePlatform } from '@crier/client';
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { PlatformIcon } from '../../components/channels/platform-icon.tsx';
import { platformName } from '../../lib/platform-name.ts';
import type { Connecting } from './use-connecting.ts';

/** One button per network, below a line that explains them. */
export function NetworkButtons({
  label,
  platforms,
  connecting: { busy, start },
  isCompact = false,
  hasFocus = false,
}: {
  label: ReactNode;
  platforms: readonly ConnectablePlatform[];
  connecting: Connecting;
  /** A row of small buttons instead of a grid. */
  isCompact?: boolean;
  /** Focuses the first button when the dialog opens. */
  hasFocus?: boolean;
}) {
  const id = useId();
  if (platforms.length === 0) return null;
  const buttons = platforms.map((one, index) => (
    <Button
      key={one.platform}
      data-autofocus={(hasFocus && index === 0) || undefined}
      variant="default"
      size={isCompact ? 'sm' : 'md'}
      px="sm"
      justify={isCompact ? 'center' : 'flex-start'}
      leftSection={<PlatformIcon platform={one.platform} size={isCompact ? 18 : 22} />}
      loading={busy === one.platform}
      disabled={busy !== null && busy !== one.platform}
      onClick={() => start(one)}
    >
      {platformName(one.platform)}
    </Button>
  ));
  return (
    <Stack gap="xs" role="group" aria-labelledby={id}>
      <Text size="sm" c="dimmed" id={id}>
        {label}
      </Text>
      {isCompact ? (
        <Group gap="xs">{buttons}</Group>
      ) : (
        <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
          {buttons}
        </SimpleGrid>
      )}
    </Stack>
  );
}
