import { Box, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { settingsPages } from '../shell/pages.ts';
import classes from './settings.module.css';

/** The heading and tabs shared by all settings pages. */
export function SettingsPage({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Box maw={960}>
      <PageHeader title={title} about={about} />
      <nav aria-label="Settings" className={classes.tabs}>
        {settingsPages.map(({ to, name }) => (
          <Link key={to} to={to} className={classes.tab}>
            {name}
          </Link>
        ))}
      </nav>
      <Stack gap="lg">{children}</Stack>
    </Box>
  );
}
