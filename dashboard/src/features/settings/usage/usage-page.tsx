import type { AccountContext } from '@crier/client';
import { Badge, Group, List, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { platformName } from '../../../lib/platform-name.ts';
import { accountQuery } from '../../../lib/queries.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import { Section } from '../section.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { MeterCard } from './meter-card.tsx';
import { horizonText, metersOf } from './meters.ts';

export function UsagePage() {
  const { data: account, error, refetch } = useQuery(accountQuery);
  return (
    <SettingsPage title="Usage and plan" about="What your plan includes and how much you’ve used.">
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!account && !error && <Loading />}
      {account && (
        <>
          <PlanSection account={account} />
          <Title order={2} size="h4">
            Usage
          </Title>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {metersOf(account.quotas).map((meter) => (
              <MeterCard key={meter.name} meter={meter} />
            ))}
          </SimpleGrid>
        </>
      )}
    </SettingsPage>
  );
}

const Loading = () => (
  <Stack aria-busy>
    <Skeleton h={230} radius="lg" />
    <Skeleton h={20} w={80} />
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {[0, 1, 2, 3].map((meter) => (
        <Skeleton key={meter} h={96} radius="lg" />
      ))}
    </SimpleGrid>
  </Stack>
);

const sources = {
  default: 'The default plan for new accounts.',
  purchase: 'Set for your account by the operator.',
  workspace_owner: 'Inherited from your workspace owner.',
} as const;

const features = {
  publishing: 'Publishing',
  apiAccess: 'API',
  mcpAccess: 'MCP',
  analytics: 'Insights',
  mentionables: 'Search for people to mention',
} as const;

function PlanSection({ account }: { account: AccountContext }) {
  const preferences = useTimePreferences();
  const { plan, allowedPlatforms, quotas } = account;
  const { maxScheduledDate } = quotas.scheduleHorizon;
  return (
    <Section title="Plan">
      <Group gap="sm">
        <Badge tt="none" size="lg">
          {plan.name}
        </Badge>
        <Text size="sm">{sources[plan.source]}</Text>
      </Group>
      <List size="sm" spacing={6} center listStyleType="none">
        {Object.entries(features).map(([feature, name]) => (
          <Included key={feature} name={name} isIncluded={account.features[feature as keyof typeof features]} />
        ))}
      </List>
      <Text size="sm">
        Scheduling: {horizonText(quotas.scheduleHorizon).toLowerCase()}
        {maxScheduledDate && `, currently until ${formatDateTime(maxScheduledDate, preferences)}`}.
      </Text>
      <Text size="sm">
        Networks: {allowedPlatforms ? allowedPlatforms.map((platform) => platformName(platform)).join(', ') : 'all'}.
      </Text>
    </Section>
  );
}

function Included({ name, isIncluded }: { name: string; isIncluded: boolean }) {
  return (
    <List.Item icon={isIncluded ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />}>
      <Text size="sm" c={isIncluded ? undefined : 'dimmed'}>
        {isIncluded ? name : `${name}: not included`}
      </Text>
    </List.Item>
  );
}
