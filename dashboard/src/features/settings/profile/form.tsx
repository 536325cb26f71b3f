import type { Profile } from '@crier/client';
import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { preferencesOf } from '../../../lib/time/preferences.ts';
import { formatDateTime, zoneNameAt } from '../../../lib/time/time.ts';
import { Section } from '../section.tsx';
import { EmailField } from './email-field.tsx';
import { languages, timeZones, zoneLabel } from './locales.ts';

/** The user's name, and date and time settings. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const client = useQueryClient();
  const [fields, setFields] = useState(profile);
  const change = (part: Partial<Profile>) => setFields((before) => ({ ...before, ...part }));
  const { name, timeZone, weekStart, hourCycle, language } = fields;
  const saving = useMutation({
    mutationFn: () => crier.updateProfile({ name, timeZone, weekStart, hourCycle, language }),
    onSuccess: (saved) => {
      client.setQueryData(keys.profile, saved);
      void client.invalidateQueries({ queryKey: keys.session });
      notifications.show({ message: 'Profile saved.', withBorder: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const preferences = preferencesOf(fields);
  return (
    <Section title="Personal details">
      <form onSubmit={submit}>
        <Stack>
          {saving.error && <ErrorState error={saving.error} />}
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <TextInput
              label="Name"
              autoComplete="name"
              dir="auto"
              maxLength={100}
              value={name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            <EmailField email={profile.email} />
            <TimeZoneSelect value={timeZone} onChange={(zone) => change({ timeZone: zone })} />
            <DateFormatSelect value={language} onChange={(tag) => change({ language: tag })} />
            <Select
              label="Week starts on"
              data={weekStarts}
              allowDeselect={false}
              value={weekStart}
              onChange={(day) => day && change({ weekStart: day })}
            />
            <Select
              label="Time format"
              data={hourCycles}
              allowDeselect={false}
              value={hourCycle ?? 'auto'}
              onChange={(cycle) => cycle && change({ hourCycle: cycle === 'auto' ? null : cycle })}
            />
          </SimpleGrid>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              Current time: {formatDateTime(new Date(), preferences)} ({zoneNameAt(new Date(), preferences)})
            </Text>
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

const weekStarts = [
  { value: 'monday', label: 'Monday' },
  { value: 'sunday', label: 'Sunday' },
  { value: 'saturday', label: 'Saturday' },
] as const;

const hourCycles = [
  { value: 'auto', label: 'Default of the date format' },
  { value: '12', label: '12 hours (2:30 pm)' },
  { value: '24', label: '24 hours (14:30)' },
] as const;

interface ChoiceProps {
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Represents null in the lists. */
const browser = 'browser';
const ofBrowser = preferencesOf(null);

function TimeZoneSelect({ value, onChange }: ChoiceProps) {
  const data = useMemo(() => {
    // Before a search only some are shown, so put the selected one first.
    const zones = [...new Set([...(value ? [value] : []), ...timeZones(value)])];
    return [
      { value: browser, label: `Browser default: ${zoneLabel(ofBrowser.zone)}` },
      ...zones.map((zone) => ({ value: zone, label: zoneLabel(zone) })),
    ];
  }, [value]);
  return (
    <Select
      label="Time zone"
      data={data}
      searchable
      allowDeselect={false}
      limit={60}
      // Typing replaces the current selection.
      onClick={({ currentTarget }) => currentTarget.select()}
      nothingFoundMessage="No time zone found. Search for a large city nearby."
      value={value ?? browser}
      onChange={(zone) => onChange(zone === browser ? null : zone)}
      renderOption={({ option, checked }) => (
        <Group w="100%" wrap="nowrap" gap="xs">
          <span>{option.label}</span>
          {checked && <IconCheck size={14} style={{ flex: 'none' }} aria-hidden />}
          <Text size="xs" c="dimmed" flex="none" ms="auto">
            {zoneNameAt(new Date(), { ...ofBrowser, ...(option.value !== browser && { zone: option.value }) })}
          </Text>
        </Group>
      )}
    />
  );
}

function DateFormatSelect({ value, onChange }: ChoiceProps) {
  const [isOpened, setOpened] = useState(false);
  const data = useMemo(() => languages(value, isOpened), [value, isOpened]);
  return (
    <Select
      label="Date format"
      description="How Crier shows dates, and reads the dates you type. Crier itself is in English."
      // Next to fields without a description.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[{ value: browser, label: 'Browser default' }, ...data]}
      searchable
      allowDeselect={false}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage="No format found"
      value={value ?? browser}
      onChange={(tag) => onChange(tag === browser ? null : tag)}
      renderOption={({ option, checked }) => (
        <Group w="100%" wrap="nowrap" gap="xs">
          <span>{option.label}</span>
          {checked && <IconCheck size={14} style={{ flex: 'none' }} aria-hidden />}
          <Text size="xs" c="dimmed" flex="none" ms="auto">
            {new Date().toLocaleDateString(option.value === browser ? ofBrowser.locale : option.value)}
          </Text>
        </Group>
      )}
    />
  );
}
