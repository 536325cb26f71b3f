import { Problem } from '../../foundation/errors/index.ts';
import { postLimits } from '../../foundation/errors/posts.ts';
import { type ReadOptions, readSettings, type StoredSettings } from '../../platforms/settings.ts';

/** Like `readSettings`, for settings that are short enough to be stored with a post. */
export function settingsToStore(input: unknown, options: ReadOptions): StoredSettings {
  const settings = readSettings(input, options);
  if (JSON.stringify(settings).length > postLimits.settingsLength) throw new Problem('platform_settings_over_cap');
  return settings;
}
