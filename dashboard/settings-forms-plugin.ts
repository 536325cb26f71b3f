import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { optionLabel, type SettingField, type SettingsForm } from './src/features/composer/options/settings-form.ts';

interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string;
  enum?: string[];
  default?: unknown;
  properties?: Record<string, Schema>;
}

const id = 'virtual:settings-forms';

/** Gives the pages the forms of `platformSettings` without the rest of openapi.json, which is large. */
export const settingsForms = (openApi: URL): Plugin => ({
  name: 'settings-forms',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load(source) {
    if (source !== `\0${id}`) return undefined;
    const { components } = JSON.parse(readFileSync(openApi, 'utf8')) as {
      components: { schemas: Record<string, Schema> };
    };
    return `export default ${JSON.stringify(formsIn(components.schemas))};`;
  },
});

function formsIn(schemas: Readonly<Record<string, Schema>>): Record<string, SettingsForm> {
  const follow = (schema: Schema): Schema => (schema.$ref ? schemas[schema.$ref.replace(/^.*\//, '')]! : schema);
  const platforms = Object.entries(schemas.PlatformSettings?.properties ?? {});
  return Object.fromEntries(
    platforms.map(([platform, schema]) => {
      const { title = platform, properties = {} } = follow(schema);
      const forNew = follow(schemas.NewPlatformSettings?.properties?.[platform] ?? {}).properties ?? {};
      const own = Object.entries(properties).filter(
        ([, { description = '' }]) => !description.startsWith('Another name'),
      );
      const fields = own.map(([name, field]) => fieldOf(name, field, name in forNew));
      return [platform, { title, fields: fields.map((field) => ({ ...field, help: inWords(field.help, fields) })) }];
    }),
  );
}

/** Names of fields and values as the form shows them. */
function inWords(help: string, fields: readonly SettingField[]): string {
  const labels = fields.flatMap(({ name, label, options }) => [
    [name, `“${label}”`] as const,
    ...options.filter((option) => option.length > 2).map((option) => [option, `“${optionLabel(option)}”`] as const),
  ]);
  return labels.reduce((text, [name, label]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), label), help);
}

const fieldOf = (name: string, schema: Schema, isForNewPosts: boolean): SettingField => ({
  name,
  label: schema.title ?? name,
  help: schema.description ?? '',
  kind: schema.enum ? 'choice' : schema.type === 'boolean' ? 'flag' : schema.type === 'string' ? 'text' : 'other',
  options: schema.enum ?? [],
  defaultValue: schema.default ?? null,
  isForNewPosts,
});
