import { Group } from '@mantine/core';
import { IconPencilPlus } from '@tabler/icons-react';
import { ButtonLink } from '../../components/links.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ConnectionState } from './connection-state.tsx';

export function TopBar() {
  return (
    <Group h="100%" px="md" justify="flex-end" gap="sm" wrap="nowrap">
      <ConnectionState />
      <ButtonLink to="/compose" leftSection={<IconPencilPlus size={18} aria-hidden />} visibleFrom="sm">
        New post
      </ButtonLink>
      <AccountMenu />
    </Group>
  );
}
