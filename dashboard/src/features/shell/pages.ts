import {
  type Icon,
  IconCalendar,
  IconChartBar,
  IconGauge,
  IconKey,
  IconListDetails,
  IconLock,
  IconMoon,
  IconPhoto,
  IconPlaylistAdd,
  IconPlugConnected,
  IconRobot,
  IconSettings,
  IconUser,
  IconUsers,
  IconWebhook,
  IconWorldShare,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';

export interface PageLink {
  to: NonNullable<LinkProps['to']>;
  name: string;
  icon: Icon;
  /** Active for all addresses with this prefix. */
  section?: string;
  /** Keywords for the search. */
  about?: string;
}

/** The side bar's pages in groups. */
export const mainPages: readonly PageLink[] = [
  { to: '/calendar', name: 'Calendar', icon: IconCalendar },
  { to: '/queue', name: 'Queue', icon: IconPlaylistAdd, about: 'Posting slots' },
  { to: '/posts', name: 'Posts', icon: IconListDetails },
  { to: '/channels', name: 'Channels', icon: IconWorldShare },
  { to: '/media', name: 'Media', icon: IconPhoto },
  { to: '/insights', name: 'Insights', icon: IconChartBar },
];

export const developerPages: readonly PageLink[] = [
  { to: '/developers/keys', name: 'Keys', icon: IconKey, about: 'API keys and their scopes' },
  { to: '/developers/webhooks', name: 'Webhooks', icon: IconWebhook },
  { to: '/developers/mcp', name: 'Agents (MCP)', icon: IconRobot },
  { to: '/developers/requests', name: 'Requests', icon: IconPlugConnected },
];

export const accountPages: readonly PageLink[] = [
  { to: '/workspace', name: 'Workspace', icon: IconUsers },
  { to: '/settings/profile', name: 'Settings', icon: IconSettings, section: '/settings/' },
];

/** The settings tabs, which the search also finds by their content. */
export const settingsPages: readonly PageLink[] = [
  {
    to: '/settings/profile',
    name: 'Profile',
    icon: IconUser,
    about: 'Name, email, time zone, date format, first day of the week',
  },
  {
    to: '/settings/security',
    name: 'Security',
    icon: IconLock,
    about: 'Password, passkeys, two-factor authentication, sessions',
  },
  { to: '/settings/appearance', name: 'Appearance', icon: IconMoon, about: 'Theme: light or dark, sidebar' },
  { to: '/settings/usage', name: 'Usage and plan', icon: IconGauge, about: 'Plan limits and usage' },
];
