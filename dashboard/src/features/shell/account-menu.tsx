import { ActionIcon, Menu } from '@mantine/core';
import { IconLogout, IconSettings, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../../lib/session.ts';
import { useSignOut } from '../sign-in/use-sign-out.ts';

export function AccountMenu() {
  const { data: session } = useQuery(sessionQuery);
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl" aria-label="Account">
          <IconUserCircle size={26} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session?.email}</Menu.Label>
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconSettings size={16} aria-hidden />}>
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
