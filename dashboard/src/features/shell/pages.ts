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
  /** It stands for all pages whose address begins so. */
  section?: string;
  /** What is on it, for the search. */
  about?: string;
}

/** The pages of the side bar, in groups. The first four are also the bottom bar of a phone. */
export const mainPages: readonly PageLink[] = [
  { to: '/calendar', name: 'Calendar', icon: IconCalendar },
  { to: '/posts', name: 'Posts', icon: IconListDetails },
  { to: '/channels', name: 'Channels', icon: IconWorldShare },
  { to: '/media', name: 'Media', icon: IconPhoto },
  { to: '/insights', name: 'Insights', icon: IconChartBar },
];

export const developerPages: readonly PageLink[] = [
  { to: '/developers/keys', name: 'API keys', icon: IconKey },
  { to: '/developers/webhooks', name: 'Webhooks', icon: IconWebhook },
  { to: '/developers/mcp', name: 'MCP', icon: IconRobot },
  { to: '/developers/requests', name: 'Requests', icon: IconPlugConnected },
];

export const accountPages: readonly PageLink[] = [
  { to: '/workspace', name: 'Workspace', icon: IconUsers },
  { to: '/settings/profile', name: 'Settings', icon: IconSettings, section: '/settings/' },
];

/** The tabs of the settings, which the search finds by what is on them. */
export const settingsPages: readonly PageLink[] = [
  {
    to: '/settings/profile',
    name: 'Profile',
    icon: IconUser,
    about: 'Name, email, time zone, language, first day of the week',
  },
  {
    to: '/settings/security',
    name: 'Security',
    icon: IconLock,
    about: 'Password, passkeys, two-factor sign-in, devices',
  },
  { to: '/settings/appearance', name: 'Appearance', icon: IconMoon, about: 'Theme: light or dark' },
  { to: '/settings/usage', name: 'Usage and plan', icon: IconGauge, about: 'What is used of each limit' },
];
