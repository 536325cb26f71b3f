import { Group, Select, Text } from '@mantine/core';
import { useState } from 'react';

const zones = () => Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') }));

/** The time in another time zone. */
export default function OtherZone({ timeIn }: { timeIn: (zone: string) => string }) {
  const [zone, setZone] = useState<string | null>(null);
  return (
    <Group gap="sm">
      <Select
        aria-label="Other time zone"
        placeholder="Other time zone"
        size="xs"
        searchable
        limit={20}
        data={zones()}
        value={zone}
        onChange={setZone}
      />
      {zone && <Text size="sm">{timeIn(zone)}</Text>}
    </Group>
  );
}
