import { z } from 'zod';
import { flag, type SettingRules } from '../kit/index.ts';

export const settings = z.strictObject({
  disableNotification: flag()
    .default(false)
    .meta({ title: 'Silent', description: 'Subscribers get the message without a sound.' }),
  disableWebPagePreview: flag()
    .default(false)
    .meta({ title: 'No link preview', description: 'Links in the text get no preview.' }),
  protectContent: flag()
    .default(false)
    .meta({ title: 'Protected', description: 'The message can be neither forwarded nor saved.' }),
});

export const settingRules = { spelledBooleans: true } as const satisfies SettingRules<z.output<typeof settings>>;
