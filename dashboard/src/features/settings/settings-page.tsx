import { Box, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import classes from './settings.module.css';

const pages = [
  { to: '/settings/profile', name: 'Profile' },
  { to: '/settings/security', name: 'Security' },
  { to: '/settings/appearance', name: 'Appearance' },
  { to: '/settings/usage', name: 'Usage and plan' },
] as const;

/** What the pages of the settings have in common: the heading, and the tabs that lead to the others. */
export function SettingsPage({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Box maw={960}>
      <PageHeader title={title} about={about} />
      <nav aria-label="Settings" className={classes.tabs}>
        {pages.map(({ to, name }) => (
          <Link key={to} to={to} className={classes.tab}>
            {name}
          </Link>
        ))}
      </nav>
      <Stack gap="lg">{children}</Stack>
    </Box>
  );
}
