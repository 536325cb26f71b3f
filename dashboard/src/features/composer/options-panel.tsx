import type { Connection, Media } from '@crier/client';
import { Accordion, Select, Stack, Switch, TextInput } from '@mantine/core';
import { PlatformIcon, platformName } from '../../components/platform-icon.tsx';
import { platformOf } from '../../lib/platform-of.ts';
import { CoverField } from './cover-field.tsx';
import { coversOf } from './covers.ts';
import { FirstComments } from './first-comments.tsx';
import { optionLabel, type SettingField } from './settings-form.ts';
import { forms } from './settings-forms.ts';
import { fieldsThatMatter } from './settings-relevance.ts';
import type { Composing } from './use-composer.ts';

/** The options of the chosen networks, made from the descriptions in the API, and the first comments. */
export default function OptionsPanel({
  composing,
  chosen,
  media,
  postGroupId,
}: {
  composing: Composing;
  chosen: readonly Connection[];
  media: readonly Media[];
  postGroupId: string | null;
}) {
  const platforms = [...new Set(chosen.map(({ platformId }) => platformOf(platformId)))];
  const shown = platforms.map((platform) => ({ platform, fields: fieldsFor(platform, composing, media) }));
  const covers = coversOf(platforms, composing.draft);
  return (
    <Accordion multiple variant="separated" radius="lg" chevronPosition="right">
      {shown.map(
        ({ platform, fields }) =>
          fields.length > 0 && (
            <Accordion.Item key={platform} value={platform}>
              <Accordion.Control icon={<PlatformIcon platform={platform} />}>
                Options for {platformName(platform)}
              </Accordion.Control>
              <Accordion.Panel>
                <Stack gap="md">
                  {fields.map((field) => {
                    const cover = covers.find((one) => one.platform === platform && one.setting === field.name);
                    return cover ? (
                      <CoverField
                        key={field.name}
                        cover={cover}
                        label={field.label}
                        composing={composing}
                        postGroupId={postGroupId}
                      />
                    ) : (
                      <Setting key={field.name} field={field} platform={platform} composing={composing} />
                    );
                  })}
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          ),
      )}
      {platforms.length > 0 && <FirstComments composing={composing} platforms={platforms} />}
    </Accordion>
  );
}

const fieldsFor = (platform: string, { draft }: Composing, media: readonly Media[]) =>
  fieldsThatMatter(platform, forms[platform]?.fields ?? [], draft.settings[platform] ?? {}, {
    text: draft.text,
    media: media.flatMap(({ type }) => type ?? []),
  });

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
