import { z } from 'zod';
import { flag, type Issue, optionalChoice, type SettingRules } from '../kit/index.ts';

export const settings = z.strictObject({
  viewerSetting: optionalChoice('PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY')
    .default('PUBLIC_TO_EVERYONE')
    .meta({ title: 'Who can view', description: 'Required to schedule. A private account can use only SELF_ONLY.' }),
  allowComments: flag().default(true).meta({ title: 'Comments', description: 'Viewers may comment.' }),
  allowDuet: flag().default(false).meta({ title: 'Duet', description: 'Others may make a duet with the video.' }),
  allowStitch: flag().default(false).meta({ title: 'Stitch', description: 'Others may stitch the video.' }),
  commercialContent: flag().default(false).meta({
    title: 'Commercial content',
    description: 'The post promotes something: also set brandOrganic or brandedContent.',
  }),
  brandOrganic: flag()
    .default(false)
    .meta({ title: 'Your brand', description: 'The post promotes yourself or your own business.' }),
  brandedContent: flag()
    .default(false)
    .meta({ title: 'Branded content', description: 'The post promotes a third party, as a paid partnership.' }),
});
type Settings = z.output<typeof settings>;

export const settingRules = { spelledBooleans: true, issues } as const satisfies SettingRules<Settings>;

function issues({ viewerSetting, commercialContent, brandOrganic, brandedContent }: Settings): Issue[] {
  const found: Issue[] = [];
  if (viewerSetting === '') {
    const message = 'TikTok requires selecting who can view your post';
    found.push({ code: 'PLATFORM_SETTING_REQUIRED', message, field: 'settings' });
  }
  if (commercialContent && !brandOrganic && !brandedContent) {
    const message = 'TikTok requires brandOrganic or brandedContent for commercial content';
    found.push({ code: 'PLATFORM_SETTING_INVALID', message, field: 'settings' });
  }
  return found;
}
