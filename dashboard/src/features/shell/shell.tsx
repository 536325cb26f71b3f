import { AppShell, Box, Container } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLiveEvents } from '../../lib/live/events.ts';
import { BottomBar } from './bottom-bar.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { SandboxBanner } from './sandbox-banner.tsx';
import classes from './shell.module.css';
import { SideBar } from './side-bar.tsx';
import { contentId, SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';

/** The app shell: top bar, side bar on wide screens, bottom bar on phones. */
export function Shell({ children }: { children: ReactNode }) {
  useLiveEvents();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: true } }}
      footer={{ height: { base: 60, sm: 0 } }}
      padding={{ base: 'md', md: 'xl' }}
      layout="alt"
      transitionDuration={0}
    >
      <SkipLink />
      <AppShell.Header withBorder>
        <TopBar />
      </AppShell.Header>
      <AppShell.Navbar withBorder p="sm" visibleFrom="md">
        <SideBar />
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1} className={classes.main}>
        <Container size="xl" p={0}>
          <OfflineBanner />
          <SandboxBanner />
          {children}
        </Container>
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm">
        <Box h="100%">
          <BottomBar />
        </Box>
      </AppShell.Footer>
    </AppShell>
  );
}
