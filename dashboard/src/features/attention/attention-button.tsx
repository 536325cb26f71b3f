import { ActionIcon, Indicator, Popover, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { AnchorLink } from '../../components/links.tsx';
import { allBrands } from '../../lib/brands/brand.ts';
import { useBrands } from '../../lib/brands/use-brands.ts';
import { TroubledChannel } from './troubled-channel.tsx';
import { shownCount, useAttention } from './use-attention.ts';

const maxShown = 8;

/** Everything that waits for the person, in all brands: for each channel what happened, and the one action. */
export function AttentionButton() {
  const [isOpen, panel] = useDisclosure();
  const { troubles, broken, failed, stranded } = useAttention();
  const number = broken.length + failed.length + stranded.length;
  const everywhere = { brand: useBrands()?.length ? allBrands : undefined };
  return (
    <Indicator label={shownCount(number)} size={16} disabled={number === 0} color="red.9" offset={5}>
      <Popover
        opened={isOpen}
        onChange={panel.toggle}
        position="bottom-end"
        width="min(420px, calc(100vw - 24px))"
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            radius="xl"
            aria-label={number === 0 ? 'Needs attention' : `Needs attention (${shownCount(number)})`}
            onClick={panel.toggle}
          >
            <IconBell size={20} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label="Needs attention" mah="70dvh" style={{ overflowY: 'auto' }} tabIndex={-1}>
          {number === 0 ? (
            <Text size="sm">All channels work, and no failed post is waiting.</Text>
          ) : (
            <Stack gap="lg">
              {troubles.slice(0, maxShown).map((trouble) => (
                <TroubledChannel key={trouble.key} trouble={trouble} onAct={panel.close} withPosts />
              ))}
              {troubles.length > maxShown && (
                <Text size="sm">
                  Other channels need attention, too.{' '}
                  <AnchorLink
                    inherit
                    to="/channels"
                    search={{ health: 'attention', ...everywhere }}
                    onClick={panel.close}
                  >
                    View channels
                  </AnchorLink>{' '}
                  or{' '}
                  <AnchorLink inherit to="/posts" search={{ status: 'failed', ...everywhere }} onClick={panel.close}>
                    view failed posts
                  </AnchorLink>
                  .
                </Text>
              )}
            </Stack>
          )}
        </Popover.Dropdown>
      </Popover>
    </Indicator>
  );
}
