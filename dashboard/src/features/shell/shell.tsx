import { AppShell, Container } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLiveEvents } from '../../lib/live/events.ts';
import { BottomBar } from './bottom-bar.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import classes from './shell.module.css';
import { SideBar } from './side-bar.tsx';
import { contentId, SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';

/** The app shell: top bar, side bar on wide screens, bottom bar on phones. */
export function Shell({ children }: { children: ReactNode }) {
  useLiveEvents();
  // There, the buttons of the post take its place.
  const hasBottomBar = useLocation({ select: ({ pathname }) => !pathname.startsWith('/compose') });
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: 'md', collapsed: { mobile: true } }}
      footer={{ height: { base: hasBottomBar ? 60 : 0, sm: 0 } }}
      padding={{ base: 'md', md: 'lg' }}
      layout="alt"
      transitionDuration={0}
      withBorder={false}
    >
      <SkipLink />
      <AppShell.Header className={classes.chrome}>
        <TopBar />
      </AppShell.Header>
      <AppShell.Navbar className={classes.chrome} p="xs" visibleFrom="md">
        <SideBar />
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1} className={classes.main}>
        <Container size="xl" p={0}>
          <OfflineBanner />
          {children}
        </Container>
      </AppShell.Main>
      {hasBottomBar && (
        <AppShell.Footer className={classes.chrome} hiddenFrom="sm">
          <BottomBar />
        </AppShell.Footer>
      )}
    </AppShell>
  );
}
