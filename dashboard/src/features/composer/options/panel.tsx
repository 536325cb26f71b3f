import { forms as described } from 'virtual:openapi';
import type { Connection, Media, PlatformLimits } from '@crier/client';
import { Accordion, Select, Stack, Switch, TextInput } from '@mantine/core';
import { memo } from 'react';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import type { Draft } from '../draft.ts';
import { coversOf } from '../media/covers.ts';
import type { Fields } from '../use-composer.ts';
import { CoverField } from './cover-field.tsx';
import { FirstComments } from './first-comments.tsx';
import { type Content, fieldsThatMatter } from './relevance.ts';
import { optionLabel, type SettingField } from './settings-form.ts';

/** Options of the selected networks, generated from the API's descriptions, and first comments. */
export default memo(function OptionsPanel({
  fields,
  chosen,
  media,
  ownMedia,
  hasLink,
  postGroupId,
  limits,
}: {
  fields: Fields;
  chosen: readonly Connection[];
  media: readonly Media[];
  /** Of channels with separate files. */
  ownMedia: Readonly<Record<string, readonly Media[]>>;
  hasLink: boolean;
  postGroupId: string | null;
  limits: Readonly<Record<string, PlatformLimits>>;
}) {
  const platforms = [...new Set(chosen.map(({ platformId }) => platformOf(platformId)))];
  const contentOf = (platform: string): Content => {
    const channels = chosen.filter(({ platformId }) => platformOf(platformId) === platform);
    const files = channels.flatMap(({ platformId }) => ownMedia[platformId] ?? media);
    return { hasLink, media: files.flatMap(({ type }) => type ?? []) };
  };
  const forms = platforms.map((platform) => ({
    platform,
    settings: settingsOf(platform, fields.draft.settings, contentOf(platform)),
  }));
  const commentable = platforms.filter((platform) => limits[platform]?.firstComments);
  const covers = coversOf(platforms, fields.draft);
  return (
    <Accordion multiple variant="separated" radius="lg" chevronPosition="right">
      {forms.map(
        ({ platform, settings }) =>
          settings.length > 0 && (
            <Accordion.Item key={platform} value={platform}>
              <Accordion.Control icon={<PlatformIcon platform={platform} />}>
                Options for {platformName(platform)}
              </Accordion.Control>
              <Accordion.Panel>
                <Stack gap="md">
                  {settings.map((field) => {
                    const cover = covers.find((one) => one.platform === platform && one.setting === field.name);
                    return cover ? (
                      <CoverField
                        key={field.name}
                        cover={cover}
                        label={field.label}
                        fields={fields}
                        postGroupId={postGroupId}
                      />
                    ) : (
                      <Setting key={field.name} field={field} platform={platform} fields={fields} />
                    );
                  })}
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          ),
      )}
      {(commentable.length > 0 || fields.draft.comments.length > 0) && (
        <FirstComments fields={fields} platforms={commentable} />
      )}
    </Accordion>
  );
});

const settingsOf = (platform: string, settings: Draft['settings'], content: Content) =>
  fieldsThatMatter(platform, described[platform]?.fields ?? [], settings[platform] ?? {}, content);

function Setting({ field, platform, fields }: { field: SettingField; platform: string; fields: Fields }) {
  const { draft, change } = fields;
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
