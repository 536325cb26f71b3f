import { z } from 'zod';
import { descriptions } from './descriptions.ts';
import type { Description } from './kit/index.ts';

/**
 * How the OpenAPI document shows `platformSettings`. These shapes do not validate requests; `readSettings` does,
 * because the contract defines its own errors.
 */

const withSettings = descriptions.filter(({ settings }) => Object.keys(settings.shape).length > 0);
const updateShapes = Object.fromEntries(
  withSettings.map((description) => [description.id, settingsShape('', description)]),
);
/** Only a platform with update-only settings needs a separate shape. */
const createShapes = Object.fromEntries(
  withSettings.map((description) => [
    description.id,
    description.settingRules?.updateOnly ? settingsShape('New', description) : updateShapes[description.id]!,
  ]),
);

/** `platformSettings` of a new post. */
export const NewPlatformSettings = z.strictObject(createShapes).partial().meta({
  id: 'NewPlatformSettings',
  description: 'Options by platform. Omitted options have their defaults.',
});

/** `platformSettings` of an update, which also accepts settings that need an existing post. */
export const PlatformSettings = z.strictObject(updateShapes).partial().meta({
  id: 'PlatformSettings',
  description: 'Options by platform. In an update, omitted options stay unchanged.',
});

function settingsShape(prefix: '' | 'New', { id, name, settings, settingRules: rules }: Description) {
  const hidden: readonly string[] = prefix === 'New' ? (rules?.updateOnly ?? []) : [];
  const own = Object.entries(settings.shape).filter(([key]) => !hidden.includes(key));
  const aliases = Object.entries(rules?.aliases ?? {}).map(([alias, key]) => [
    alias,
    z.clone(settings.shape[key]!).meta({ description: `Alias of ${key}.` }),
  ]);
  return z
    .strictObject(Object.fromEntries([...own, ...aliases]))
    .meta({ id: `${prefix}${id.charAt(0).toUpperCase()}${id.slice(1)}Settings`, title: name });
}
