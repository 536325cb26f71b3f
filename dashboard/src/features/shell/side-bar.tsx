import { Box, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import icon from '../../icon.svg';
import { useApiGroup } from '../../lib/api-group.ts';
import { AttentionBadge } from '../attention/attention-badge.tsx';
import { accountPages, developerPages, mainPages, type PageLink } from './pages.ts';
import classes from './shell.module.css';

/** The product name and all pages. */
export function SideBar() {
  return (
    <>
      <Box px="xs" mb="sm">
        <Brand />
      </Box>
      <ScrollArea flex={1}>
        <PageLinks />
      </ScrollArea>
    </>
  );
}

export const Brand = () => (
  <Group h={40} gap="xs" wrap="nowrap">
    <img src={icon} width={26} height={26} alt="" />
    <Text fw={700} size="lg">
      Crier
    </Text>
  </Group>
);

export function PageLinks({ onChoose }: { onChoose?: () => void }) {
  const [hasApi] = useApiGroup();
  return (
    <nav aria-label="Pages">
      <Links pages={mainPages} onChoose={onChoose} />
      {hasApi && (
        <>
          <Heading>API</Heading>
          <Links pages={developerPages} onChoose={onChoose} />
        </>
      )}
      <Heading>Account</Heading>
      <Links pages={accountPages} onChoose={onChoose} />
    </nav>
  );
}

const Heading = ({ children }: { children: string }) => (
  <Text size="xs" fw={600} c="dimmed" mt="md" mb={4} px="sm">
    {children}
  </Text>
);

function Links({ pages, onChoose }: { pages: readonly PageLink[]; onChoose: (() => void) | undefined }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  return pages.map(({ to, name, icon: IconOfPage, section = to }) => (
    <Link key={to} to={to} className={classes.pageLink} onClick={onChoose}>
      <NavLink
        component="span"
        active={pathname.startsWith(section)}
        label={name}
        leftSection={<IconOfPage size={18} stroke={1.6} aria-hidden />}
        rightSection={<AttentionBadge page={to} />}
        className={classes.navItem}
      />
    </Link>
  ));
}
