import { Box } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { OutsideLink } from '../../components/outside-link.tsx';
import { dashboardSettingsQuery } from '../../lib/dashboard-settings.ts';
import { platformName } from '../../lib/platform-name.ts';
import { channelsQuery } from '../../lib/queries.ts';
import classes from './shell.module.css';

/** Says that nothing leaves this machine, and links to the simulated feeds. */
export function SandboxBanner() {
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const { data: channels = [] } = useQuery(channelsQuery);
  const sandboxUrl = settings?.sandboxUrl;
  if (!sandboxUrl) return null;
  const platforms = [...new Set(channels.map(({ platform }) => platform))];
  const feeds = platforms.map((platform) => ({ href: `${sandboxUrl}/feed/${platform}`, name: platformName(platform) }));
  return (
    <section className={classes.sandbox} aria-label="Sandbox">
      <IconFlask size={18} stroke={1.6} aria-hidden />
      <div>
        Sandbox: posts go to simulated networks. {/* A phone has room for one link. */}
        <Box component="span" visibleFrom="sm">
          {feeds.length > 0 && 'View feeds: '}
          {feeds.map(({ href, name }, index) => (
            <span key={href}>
              {index > 0 && ', '}
              <Feed href={href} name={name} />
            </span>
          ))}
        </Box>
        <Box component="span" hiddenFrom={feeds.length > 0 ? 'sm' : undefined}>
          <Feed href={sandboxUrl} name="View feeds" />
        </Box>
      </div>
    </section>
  );
}

const Feed = ({ href, name }: { href: string; name: string }) => (
  <OutsideLink href={href} inherit c="inherit">
    {name}
  </OutsideLink>
);
