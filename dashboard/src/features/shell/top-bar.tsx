import { Box, Group } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconPencilPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../components/links.tsx';
import { AttentionButton } from '../attention/attention-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { BrandSwitcher } from './brand-switcher.tsx';
import { ConnectionState } from './connection-state.tsx';
import { MenuButton } from './menu-button.tsx';
import { SandboxMenu } from './sandbox-menu.tsx';
import { SearchButton } from './search-button.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Brand } from './side-bar.tsx';

export function TopBar() {
  const navigate = useNavigate();
  const [areShortcutsShown, shortcuts] = useDisclosure();
  useHotkeys([
    ['N', () => void navigate({ to: '/compose', state: { isWriting: true } })],
    // Some keyboards have the question mark without Shift.
    ['?', shortcuts.open],
    ['shift+?', shortcuts.open],
  ]);
  return (
    <Group h="100%" px={{ base: 'sm', sm: 'md', md: 'lg' }} gap="xs" wrap="nowrap">
      <MenuButton />
      <Box flex={1} miw={0}>
        <BrandSwitcher
          otherwise={
            <Box hiddenFrom="md">
              <Brand />
            </Box>
          }
        />
      </Box>
      <ConnectionState />
      <SandboxMenu />
      <SearchButton onShortcuts={shortcuts.open} />
      <ButtonLink
        to="/compose"
        aria-keyshortcuts="N"
        leftSection={<IconPencilPlus size={18} aria-hidden />}
        visibleFrom="sm"
      >
        New post
      </ButtonLink>
      <AttentionButton />
      <AccountMenu />
      <ShortcutsDialog opened={areShortcutsShown} onClose={shortcuts.close} />
    </Group>
  );
}
