import { Group } from '@mantine/core';
import { IconPencilPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { AttentionBadge } from '../attention/attention-badge.tsx';
import { mainPages, type PageLink } from './pages.ts';
import classes from './shell.module.css';

const compose: PageLink = { to: '/compose', name: 'New post', icon: IconPencilPlus };
const pageOf = (to: PageLink['to']) => mainPages.find((page) => page.to === to)!;
const tabs = [pageOf('/calendar'), pageOf('/queue'), compose, pageOf('/posts'), pageOf('/channels')];

/** The main pages on a phone, within reach of the thumb. */
export function BottomBar() {
  return (
    <Group component="nav" aria-label="Main pages" grow h="100%" gap={0} preventGrowOverflow={false}>
      {tabs.map(({ to, name, icon: IconOfPage }) => (
        <Link key={to} to={to} className={classes.tab}>
          <IconOfPage size={22} stroke={1.6} aria-hidden />
          {name}
          <AttentionBadge page={to} className={classes.tabBadge} />
        </Link>
      ))}
    </Group>
  );
}
