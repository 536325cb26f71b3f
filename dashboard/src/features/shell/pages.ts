import {
  type Icon,
  IconCalendar,
  IconChartBar,
  IconKey,
  IconListDetails,
  IconPhoto,
  IconPlugConnected,
  IconRobot,
  IconSettings,
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
