import { z } from 'zod';
import { Problem } from '../foundation/errors/index.ts';
import { type Json, parseSmallJson } from '../foundation/lib/json.ts';
import { descriptionOf, descriptions } from './descriptions.ts';
import type { Description, Issue, SettingTarget, VideoKind } from './kit/index.ts';
import { refuseUnknown } from './settings-allowlist.ts';

/** By platform, then by setting, as in `post_groups.platform_settings`. */
export type StoredSettings = Record<string, Record<string, Json>>;
type Stored = Readonly<Record<string, Json>>;
type Fields = Record<string, unknown>;

export interface ReadOptions {
  /** The settings the post already has. Null for a new post, which gets the defaults. */
  stored: Stored | null;
  /** An edit accepts "off" for false on every platform; a new post only where the platform's rules say so. */
  booleans: 'create' | 'update';
}

/**
 * The settings to store: those of the post, overwritten by the `platformSettings` of a request. Throws a Problem with
 * the contract's text for the first mistake.
 */
export function readSettings(input: unknown, options: ReadOptions): StoredSettings {
  const settings: StoredSettings = options.stored ? asSettings(options.stored) : defaultSettings();
  const sent = input === undefined ? {} : parseFields(input);
  refuseUnknown(sent);
  for (const [platform, fields] of Object.entries(sent)) {
    const description = descriptionOf(platform)!;
    if (!isFields(fields)) throw invalid(`platformSettings.${platform} must be an object`);
    const read = readFields(description, fields, options);
    settings[platform] = withoutCleared({ ...fieldsOf(description, settings), ...read });
    refuse(description.settingRules?.conflict?.(settings[platform]));
  }
  return settings;
}

/** Checks all settings of the post, including stored ones, against all of its targets. Throws a Problem. */
export function checkSettingsForTargets(settings: Stored, targets: readonly SettingTarget[]): void {
  for (const description of descriptions) {
    const { id, settingRules } = description;
    const own = targets.filter(({ platform }) => platform === id);
    refuse(settingRules?.conflictWith?.(fieldsOf(description, settings), own));
  }
}

/** Why a post with these settings cannot be scheduled for this platform. */
export function settingIssues(settings: Stored, platform: string, post = { hasMedia: false }): Issue[] {
  const description = descriptionOf(platform);
  return description?.settingRules?.issues?.(fieldsOf(description, settings), post) ?? [];
}

/** Whether a post with these settings needs no text, like a repost. */
export function isTextOptional(settings: Stored, platform: string): boolean {
  const description = descriptionOf(platform);
  return description?.settingRules?.textOptional?.(fieldsOf(description, settings)) ?? false;
}

/** Same, for the `platformSettings` of a request that have not been read yet. */
export function isTextOptionalAsSent(sent: Readonly<Fields>, platform: string): boolean {
  const fields = sent[platform];
  const rules = descriptionOf(platform)?.settingRules;
  return (isFields(fields) && rules?.textOptionalAsSent?.(fields)) || false;
}

/** Which limits apply to a video of a post with these settings. */
export function videoKindOf(settings: Stored, platform: string, post: { mediaCount: number }): VideoKind {
  const description = descriptionOf(platform);
  return description?.settingRules?.videoKind?.(fieldsOf(description, settings), post) ?? 'feed';
}

/** The first setting in a request that cannot change once publishing has begun, such as "YouTube playlist". */
export function lockedSettingIn(sent: unknown): string | null {
  for (const { id, name, settingRules: rules } of descriptions) {
    const fields = isFields(sent) ? sent[id] : null;
    if (!isFields(fields)) continue;
    const settings = Object.keys(fields).map((key) => rules?.aliases?.[key] ?? key);
    const locked = Object.entries(rules?.lockedWhilePublishing ?? {}).find(([setting]) => settings.includes(setting));
    if (locked) return `${name} ${locked[1]}`;
  }
  return null;
}

function parseFields(input: unknown): Fields {
  const value = typeof input === 'string' ? parseJson(input) : input;
  if (!isFields(value)) throw new Problem('platform_settings_not_object');
  return value;
}

function parseJson(text: string): unknown {
  try {
    return parseSmallJson(text);
  } catch {
    throw new Problem('platform_settings_not_json');
  }
}

/** A setting that the request clears is undefined. */
function readFields(description: Description, fields: Fields, options: ReadOptions): Record<string, Json | undefined> {
  const { id, settings, settingRules: rules = {} } = description;
  const spelled = options.booleans === 'update' || rules.spelledBooleans;
  const read: Record<string, Json | undefined> = {};
  for (const [name, value] of Object.entries(fields)) {
    const path = `platformSettings.${id}.${name}`;
    const successor = rules.retired?.[name];
    if (successor) throw invalid(`${path} is not supported; use platformSettings.${id}.${successor}.`);
    const key = rules.aliases?.[name] ?? name;
    if (key !== name && Object.hasOwn(fields, key)) continue;
    if (!options.stored && rules.updateOnly?.includes(key)) {
      throw invalid(`${path} cannot be set on create-post; create the post, then set it with update-post`);
    }
    read[key] = readField(settings.shape[key]!, value, path, spelled);
  }
  return read;
}

function readField(field: z.core.$ZodType, value: unknown, path: string, spelled = false): Json | undefined {
  const plain = spelled && typeof value === 'string' && isFlag(field) ? asBoolean(value) : value;
  const { data, error } = z.safeParse(field, plain);
  if (!error) return data as Json | undefined;
  const [issue] = error.issues;
  throw invalid(`${[path, ...issue!.path].join('.')} ${issue!.message}`);
}

function isFlag(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional) return isFlag(field.unwrap());
  return field instanceof z.ZodBoolean;
}

const spellings: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);
const asBoolean = (word: string) => spellings.get(word.trim().toLowerCase()) ?? word;

/** A post is stored with the defaults of every platform, so that it shows the settings it will be published with. */
function defaultSettings(): StoredSettings {
  const withSettings = descriptions.filter(({ settings }) => Object.keys(settings.shape).length > 0);
  return Object.fromEntries(withSettings.map((description) => [description.id, defaultsOf(description)]));
}

const defaultsOf = ({ settings }: Description) => settings.parse({}) as Record<string, Json>;

/** A post stored before a setting existed gets that setting's default. */
function fieldsOf(description: Description, settings: Stored): Record<string, Json> {
  return { ...defaultsOf(description), ...objectOf(settings[description.id]) };
}

const asSettings = (stored: Stored): StoredSettings =>
  Object.fromEntries(Object.entries(stored).map(([platform, fields]) => [platform, objectOf(fields)]));

const objectOf = (value: Json | undefined): Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

const withoutCleared = (fields: Record<string, Json | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(reason: string | null | undefined): void {
  if (reason) throw invalid(reason);
}

const invalid = (error: string) => new Problem('platform_setting_invalid', { error });
