import { Group, Stack, Text } from '@mantine/core';
import { IconPencilPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { mainPages, type PageLink } from './pages.ts';

const compose: PageLink = { to: '/compose', name: 'New post', icon: IconPencilPlus };
const [calendar, posts, channels, media] = mainPages as [PageLink, PageLink, PageLink, PageLink];

/** The pages that people use on a phone, within reach of a thumb. */
export function BottomBar() {
  return (
    <Group component="nav" aria-label="Main pages" grow h="100%" gap={0} preventGrowOverflow={false}>
      {[calendar, posts, compose, channels, media].map(({ to, name, icon: IconOfPage }) => (
        <Link key={to} to={to} style={{ textDecoration: 'none', color: 'inherit', height: '100%' }}>
          {({ isActive }) => (
            <Stack align="center" justify="center" gap={2} h="100%" c={isActive ? undefined : 'dimmed'}>
              <IconOfPage size={22} stroke={1.6} aria-hidden />
              <Text size="xs" fw={isActive ? 600 : 400}>
                {name}
              </Text>
            </Stack>
          )}
        </Link>
      ))}
    </Group>
  );
}
