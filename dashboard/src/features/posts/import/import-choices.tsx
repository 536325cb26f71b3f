import { Group, MultiSelect, Select, Text } from '@mantine/core';
import { channelName } from '../../../components/channels/avatar.tsx';
import { platformName } from '../../../lib/platform-name.ts';
import { count } from '../../../lib/posts/post-summary.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import type { useImport } from './use-import.ts';

const untimedOptions = [
  { value: 'draft', label: 'Save as drafts' },
  { value: 'publish', label: 'Publish immediately' },
];

/** Choices for what the file doesn't specify. */
export function ImportChoices({
  state: { file, channels = [], choices, change, importing, stored },
}: {
  state: ReturnType<typeof useImport>;
}) {
  const { zone } = useTimePreferences();
  const rows = file?.rows ?? [];
  const untimed = rows.filter(({ at }) => at === null).length;
  const unnamed = rows.filter(({ to }) => to.length === 0).length;
  const isFixed = importing.isPending || stored.size > 0;
  return (
    <Group align="flex-end" gap="lg" hidden={rows.length === 0}>
      {unnamed > 0 && (
        <MultiSelect
          label="Post to"
          description={`${count(unnamed, 'row')} without a channel`}
          placeholder={choices.to.length === 0 ? 'Choose channels' : undefined}
          data={channels.map((channel) => ({
            value: channel.platformId,
            label: `${channelName(channel)} · ${platformName(channel.platform)}`,
          }))}
          value={[...choices.to]}
          onChange={(to) => change({ to })}
          disabled={isFixed}
          searchable
          hidePickedOptions
          flex="1 1 260px"
          maw={480}
        />
      )}
      {untimed > 0 && (
        <Select
          label="Rows without a time"
          description={count(untimed, 'row')}
          data={untimedOptions}
          value={choices.untimed}
          allowDeselect={false}
          onChange={(value) => change({ untimed: value === 'publish' ? 'publish' : 'draft' })}
          disabled={isFixed}
          flex="1 1 220px"
          maw={300}
        />
      )}
      {untimed < rows.length && (
        <Text size="sm" c="dimmed" flex="1 1 100%">
          Times without a UTC offset are in {zone.replaceAll('_', ' ')}.
        </Text>
      )}
    </Group>
  );
}
