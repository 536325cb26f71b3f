import { Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import icon from '../../icon.svg';
import { accountPages, developerPages, mainPages, type PageLink } from './pages.ts';

export function SideBar() {
  return (
    <>
      <Group px="xs" h={40} mb="sm" gap="xs">
        <img src={icon} width={26} height={26} alt="" />
        <Text fw={700} size="lg">
          Crier
        </Text>
      </Group>
      <ScrollArea flex={1} component="nav" aria-label="Pages">
        <Links pages={mainPages} />
        <Heading>Developers</Heading>
        <Links pages={developerPages} />
        <Heading>Account</Heading>
        <Links pages={accountPages} />
      </ScrollArea>
    </>
  );
}

const Heading = ({ children }: { children: string }) => (
  <Text size="xs" fw={600} c="dimmed" mt="md" mb={4} px="sm">
    {children}
  </Text>
);

function Links({ pages }: { pages: readonly PageLink[] }) {
  const { pathname } = useLocation();
  return pages.map(({ to, name, icon: IconOfPage, section }) => (
    <Link key={to} to={to} activeProps={{ 'data-active': true }} style={{ textDecoration: 'none', color: 'inherit' }}>
      {({ isActive }) => (
        <NavLink
          component="span"
          active={isActive || (section !== undefined && pathname.startsWith(section))}
          label={name}
          leftSection={<IconOfPage size={18} stroke={1.6} aria-hidden />}
          style={{ borderRadius: 'var(--mantine-radius-md)' }}
        />
      )}
    </Link>
  ));
}
