import { Box, Group } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconPencilPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../components/links.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ConnectionState } from './connection-state.tsx';
import { MenuButton } from './menu-button.tsx';
import { SearchButton } from './search-button.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Brand } from './side-bar.tsx';

export function TopBar() {
  const navigate = useNavigate();
  const [areShortcutsShown, shortcuts] = useDisclosure();
  useHotkeys([
    ['N', () => void navigate({ to: '/compose' })],
    // Some keyboards have the question mark without Shift.
    ['?', shortcuts.open],
    ['shift+?', shortcuts.open],
  ]);
  return (
    <Group h="100%" px="md" gap="sm" wrap="nowrap">
      <MenuButton />
      <Box flex={1}>
        <Box hiddenFrom="md">
          <Brand />
        </Box>
      </Box>
      <ConnectionState />
      <SearchButton onShortcuts={shortcuts.open} />
      <ButtonLink
        to="/compose"
        aria-keyshortcuts="N"
        leftSection={<IconPencilPlus size={18} aria-hidden />}
        visibleFrom="sm"
      >
        New post
      </ButtonLink>
      <AccountMenu />
      <ShortcutsDialog opened={areShortcutsShown} onClose={shortcuts.close} />
    </Group>
  );
}
