import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { optionLabel, type SettingField, type SettingsForm } from './src/features/composer/options/settings-form.ts';

interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string;
  enum?: string[];
  items?: Schema;
  maxItems?: number;
  maxLength?: number;
  default?: unknown;
  properties?: Record<string, Schema>;
}

interface Document {
  paths: Record<
    string,
    Record<string, { tags?: string[] }> & {
      post?: { requestBody?: { content: { 'application/json'?: { schema: Schema } } } };
    }
  >;
  components: { schemas: Record<string, Schema> };
}

const id = 'virtual:openapi';

/** Extracts what pages need from openapi.json, which is large and derives from the platform registry. */
export const openApi = (file: URL): Plugin => ({
  name: 'openapi',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load(source) {
    if (source !== `\0${id}`) return undefined;
    const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as Document;
    return [
      `export const forms = ${JSON.stringify(formsIn(components.schemas))};`,
      `export const labelRules = ${JSON.stringify(labelRulesIn(components.schemas))};`,
      `export const operationTags = ${JSON.stringify(operationTagsIn(paths))};`,
      `export const statisticsPlatforms = ${JSON.stringify(statisticsPlatformsIn(paths))};`,
    ].join('\n');
  },
});

/** The group of each path in the API reference, as its addresses name it. */
const operationTagsIn = (paths: Document['paths']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => {
      const [tag = ''] = (Object.values(methods) as { tags?: string[] }[]).flatMap(({ tags = [] }) => tags);
      return [path, tag.toLowerCase().replaceAll(' ', '-')];
    }),
  );

/** The platforms that `POST /profile-statistics` accepts. */
function statisticsPlatformsIn(paths: Document['paths']): readonly string[] {
  const body = paths['/profile-statistics']?.post?.requestBody?.content['application/json'];
  const platforms = body?.schema.properties?.platform?.enum;
  if (!platforms) throw new Error('openapi.json lists no platforms for statistics.');
  return platforms;
}

/** How many labels a post can have, how long they can be, and their colours. */
function labelRulesIn({ CreatePost, Label }: Readonly<Record<string, Schema>>) {
  const labels = CreatePost?.properties?.labels;
  const rules = {
    perPost: labels?.maxItems,
    length: labels?.items?.maxLength,
    colours: Label?.properties?.colour?.enum,
  };
  if (!(rules.perPost && rules.length && rules.colours)) throw new Error('openapi.json has no rules for labels.');
  return rules;
}

function formsIn(schemas: Readonly<Record<string, Schema>>): Record<string, SettingsForm> {
  const follow = (schema: Schema): Schema => (schema.$ref ? schemas[schema.$ref.replace(/^.*\//, '')]! : schema);
  const platforms = Object.entries(schemas.PlatformSettings?.properties ?? {});
  return Object.fromEntries(
    platforms.map(([platform, schema]) => {
      const { title = platform, properties = {} } = follow(schema);
      const forNew = follow(schemas.NewPlatformSettings?.properties?.[platform] ?? {}).properties ?? {};
      const own = Object.entries(properties).filter(([, { description = '' }]) => !description.startsWith('Alias of'));
      const fields = own.map(([name, field]) => fieldOf(name, field, name in forNew));
      return [platform, { title, fields: fields.map((field) => ({ ...field, help: withLabels(field.help, fields) })) }];
    }),
  );
}

/** Replaces field names and values with their labels in the form. */
function withLabels(help: string, fields: readonly SettingField[]): string {
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
