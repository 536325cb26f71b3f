import { Menu } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { PlatformIcon } from '../../components/channels/platform-icon.tsx';
import { dashboardSettingsQuery } from '../../lib/dashboard-settings.ts';
import { platformName } from '../../lib/platform-name.ts';
import { channelsQuery } from '../../lib/queries.ts';
import classes from './shell.module.css';

/** Says that nothing leaves this machine, and links to the simulated feeds. */
export function SandboxMenu() {
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const { data: channels = [] } = useQuery(channelsQuery);
  const sandboxUrl = settings?.sandboxUrl;
  if (!sandboxUrl) return null;
  const platforms = [...new Set(channels.map(({ platform }) => platform))];
  const feeds = platforms.map((platform) => ({
    href: `${sandboxUrl}/feed/${platform}`,
    name: `${platformName(platform)} feed`,
    icon: <PlatformIcon platform={platform} size={16} />,
  }));
  const overview = { href: sandboxUrl, name: 'All simulated networks', icon: <IconFlask size={16} aria-hidden /> };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <button type="button" className={classes.sandbox} aria-label="Sandbox">
          <IconFlask size={16} stroke={1.8} aria-hidden />
          <span className={classes.wide}>Sandbox</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Posts go to simulated networks on this machine.</Menu.Label>
        {[...feeds, overview].map(({ href, name, icon }) => (
          <Menu.Item key={href} component="a" href={href} target="_blank" rel="noreferrer" leftSection={icon}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
