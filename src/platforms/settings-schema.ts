import { z } from 'zod';
import { descriptions } from './descriptions.ts';
import type { Description } from './kit/index.ts';

/** These schemas document `platformSettings` and accept any value: `readSettings` reports the contract's errors. */

/** `platformSettings` of a new post. */
export const NewPlatformSettings = settingsFor('create');
/** `platformSettings` of an edit, with the settings that need an existing post. */
export const PlatformSettings = settingsFor('update');

function settingsFor(request: 'create' | 'update') {
  const named = descriptions.map((description) => [description.id, schemaOf(description, request)] as const);
  return z.unknown().meta({
    type: 'object',
    properties: Object.fromEntries(named.filter(([, { properties }]) => Object.keys(properties).length > 0)),
    additionalProperties: false,
    description:
      request === 'create'
        ? 'Options by platform. What is left out has its default.'
        : 'Options by platform, set on top of those the post has. What is left out stays.',
  });
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

function schemaOf({ name, settings, settingRules: rules }: Description, request: 'create' | 'update') {
  const { properties: all = {} } = z.toJSONSchema(settings, { io: 'input' });
  const hidden: readonly string[] = request === 'create' ? (rules?.updateOnly ?? []) : [];
  const properties: Record<string, JsonSchema | boolean> = Object.fromEntries(
    Object.entries(all).filter(([key]) => !hidden.includes(key)),
  );
  for (const [alias, key] of Object.entries(rules?.aliases ?? {})) {
    properties[alias] = { ...(all[key] as JsonSchema), description: `Another name of ${key}.` };
  }
  return { type: 'object', title: name, properties, additionalProperties: false };
}
