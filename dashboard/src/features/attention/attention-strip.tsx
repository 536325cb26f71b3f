import { Alert, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouteContext } from '@tanstack/react-router';
import { AnchorLink } from '../../components/links.tsx';
import { allBrands } from '../../lib/brands/brand.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { TroubledChannel } from './troubled-channel.tsx';
import { useAttention } from './use-attention.ts';

const maxShown = 3;

/** Above the calendar: channels of the shown brand that stop posts which are already scheduled. */
export function AttentionStrip() {
  const { troubles } = useAttention();
  const isShown = useIsShown();
  const urgent = troubles.filter(
    ({ channel, isBroken, risk, stranded: [post] }) =>
      (isBroken && risk && channel && channel.health !== 'expiring' && isShown(channel)) || (post && isShown(post)),
  );
  if (urgent.length === 0) return null;
  const others = urgent.length - maxShown;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      // In line with the network's icon.
      styles={{ icon: { alignSelf: 'center', marginTop: 0 }, body: { minWidth: 0 } }}
      mb="md"
      role="region"
      aria-label="Needs attention"
    >
      <Stack gap="sm">
        {urgent.slice(0, maxShown).map((trouble) => (
          <TroubledChannel key={trouble.key} trouble={trouble} />
        ))}
        {others > 0 && (
          <AnchorLink size="sm" c="inherit" to="/channels" search={{ health: 'attention' }}>
            {count(others, 'other channel')} with posts at risk
          </AnchorLink>
        )}
      </Stack>
    </Alert>
  );
}

/** Whether the page shows things of this user. */
function useIsShown() {
  const { brand, session } = useRouteContext({ from: '/_app' });
  return ({ userId = session._id }: { userId?: string }) => brand === allBrands || userId === (brand ?? session._id);
}
