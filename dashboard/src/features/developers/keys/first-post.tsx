import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { channelName } from '../../../components/channels/avatar.tsx';
import { CopyValue } from '../../../components/copy-value.tsx';
import { AnchorLink } from '../../../components/links.tsx';
import { dashboardSettingsQuery } from '../../../lib/dashboard-settings.ts';
import { platformName } from '../../../lib/platform-name.ts';
import { limitsQuery } from '../../../lib/queries.ts';
import { publishCall } from './first-call.ts';
import { ownChannelsQuery } from './queries.ts';

/** In the sandbox, the call that publishes on one of the user's channels. Elsewhere, the post would be real. */
export function FirstPost({ rawKey }: { rawKey: string }) {
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const { data: limits } = useQuery(limitsQuery);
  const { data: channels } = useQuery(ownChannelsQuery);
  if (!settings?.sandboxUrl || !limits || !channels) return null;
  const channel = channels.find(({ platform }) => limits[platform]?.requirements.supportsTextOnly);
  if (!channel) {
    return (
      <Text size="sm">
        To publish a post, <AnchorLink to="/channels">connect a sandbox account</AnchorLink>. Its channel ID goes into{' '}
        “platforms”.
      </Text>
    );
  }
  const { platform, platformId } = channel;
  return (
    <>
      <Text size="sm">
        This one publishes a post as {channelName(channel)} on the simulated {platformName(platform)}. The ID in
        “platforms” is your channel.
      </Text>
      <CopyValue value={publishCall(rawKey, platformId, window.location.origin)} name="First post" label="Copy post" />
    </>
  );
}
