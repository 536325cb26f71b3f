import { Alert, Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { platformName } from '../../components/platform-icon.tsx';
import { crier } from '../../lib/api.ts';
import { channelsQuery } from '../../lib/queries.ts';

/** Says that nothing leaves this machine, and where to see what was published. */
export function SandboxBanner() {
  const { data: settings } = useQuery({
    queryKey: ['dashboard-settings'],
    queryFn: ({ signal }) => crier.getDashboardSettings({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: channels = [] } = useQuery(channelsQuery);
  const sandboxUrl = settings?.sandboxUrl;
  if (!sandboxUrl) return null;
  const platforms = [...new Set(channels.map(({ platform }) => platform))];
  return (
    <Alert color="yellow" variant="light" p="xs" mb="md" role="region" aria-label="Sandbox">
      <Text size="sm" component="div">
        Sandbox: posts go to imitations of the networks.{' '}
        {platforms.length === 0 && (
          <Anchor href={sandboxUrl} target="_blank" rel="noreferrer" size="sm" c="inherit">
            See the feeds
          </Anchor>
        )}
        {platforms.map((platform, index) => (
          <span key={platform}>
            {index > 0 && ', '}
            <Anchor href={`${sandboxUrl}/feed/${platform}`} target="_blank" rel="noreferrer" size="sm" c="inherit">
              {platformName(platform)}
            </Anchor>
          </span>
        ))}
      </Text>
    </Alert>
  );
}
