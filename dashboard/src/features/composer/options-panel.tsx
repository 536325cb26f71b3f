import type { Connection } from '@crier/client';
import { Accordion, Select, Stack, Switch, TextInput } from '@mantine/core';
import { PlatformIcon, platformName } from '../../components/platform-icon.tsx';
import { platformOf } from '../../lib/platform-of.ts';
import { FirstComments } from './first-comments.tsx';
import { optionLabel, type SettingField } from './settings-form.ts';
import { forms } from './settings-forms.ts';
import { ThumbnailField } from './thumbnail-field.tsx';
import type { Composing } from './use-composer.ts';

/** The options of the chosen networks, made from the descriptions in the API, and the first comments. */
export function OptionsPanel({
  composing,
  chosen,
  postGroupId,
}: {
  composing: Composing;
  chosen: readonly Connection[];
  postGroupId: string | null;
}) {
  const platforms = [...new Set(chosen.map(({ platformId }) => platformOf(platformId)))];
  const withForm = platforms.filter((platform) => platform in forms);
  return (
    <Accordion multiple variant="separated" radius="lg" chevronPosition="right">
      {withForm.map((platform) => (
        <Accordion.Item key={platform} value={platform}>
          <Accordion.Control icon={<PlatformIcon platform={platform} />}>
            Options for {platformName(platform)}
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="md">
              {forms[platform]!.fields.map((field) => (
                <Setting key={field.name} field={field} platform={platform} composing={composing} />
              ))}
              {platform === 'youtube' && <ThumbnailField composing={composing} postGroupId={postGroupId} />}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
      {platforms.length > 0 && <FirstComments composing={composing} platforms={platforms} />}
    </Accordion>
  );
}

function Setting({ field, platform, composing }: { field: SettingField; platform: string; composing: Composing }) {
  const { draft, change } = composing;
  const { name, label, help, kind, options, defaultValue } = field;
  const value = draft.settings[platform]?.[name] ?? defaultValue;
  const set = (next: unknown) => change({ type: 'setting', platform, name, value: next });
  if (kind === 'flag') {
    return (
      <Switch
        label={label}
        description={help}
        checked={value === true}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    );
  }
  if (kind === 'choice') {
    return (
      <Select
        label={label}
        description={help}
        allowDeselect={false}
        data={options.map((option) => ({ value: option, label: optionLabel(option) }))}
        value={typeof value === 'string' ? value : null}
        onChange={set}
      />
    );
  }
  if (name === 'tags') {
    const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
    return (
      <TextInput
        label={label}
        description={help}
        value={text}
        attributes={{ input: { dir: 'auto' } }}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  }
  if (kind !== 'text') return null;
  return (
    <TextInput
      label={label}
      description={help}
      attributes={{ input: { dir: 'auto' } }}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
