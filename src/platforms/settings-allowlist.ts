import { z } from 'zod';
import { Problem } from '../foundation/errors/index.ts';
import { descriptionOf } from './descriptions.ts';

/** Throws if a name is unknown at any depth. All names are checked before any value. */
export function refuseUnknown(sent: object): void {
  const path = unknownPath(sent);
  if (path !== null) {
    throw new Problem('platform_setting_unknown', { error: `Unknown platformSettings path: ${path}`, field: path });
  }
}

function unknownPath(sent: object): string | null {
  for (const [platform, fields] of Object.entries(sent)) {
    const names = namesOf(platform);
    if (!names) return platform;
    const path = unknownIn(fields, names, platform);
    if (path !== null) return path;
  }
  return null;
}

/** Known names. Each maps to the names inside it, or null if it has none. */
type Names = ReadonlyMap<string, Names | null>;

function unknownIn(value: unknown, names: Names, path: string): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  for (const [name, inside] of Object.entries(value)) {
    const inner = names.get(name);
    if (inner === undefined) return `${path}.${name}`;
    const found = inner && unknownIn(inside, inner, `${path}.${name}`);
    if (found) return found;
  }
  return null;
}

/** Null for a platform without settings: its own name is then unknown too. */
function namesOf(platform: string): Names | null {
  const { settings, settingRules: rules } = descriptionOf(platform) ?? {};
  if (!settings || Object.keys(settings.shape).length === 0) return null;
  const others = [...Object.keys(rules?.aliases ?? {}), ...Object.keys(rules?.retired ?? {})];
  return new Map([...namesIn(settings.shape), ...others.map((name) => [name, null] as const)]);
}

const namesIn = (shape: z.core.$ZodShape): [string, Names | null][] =>
  Object.entries(shape).map(([name, field]) => {
    const inner = shapeOf(field);
    return [name, inner && new Map(namesIn(inner))];
  });

/** The shape of the object that a field accepts; null if it accepts something else. */
function shapeOf(field: z.core.$ZodType): z.core.$ZodShape | null {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional) return shapeOf(field.unwrap());
  if (field instanceof z.ZodPipe) return shapeOf(field.in);
  return field instanceof z.ZodObject ? field.shape : null;
}
