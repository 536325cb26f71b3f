import { platformOf } from '../../../lib/platform-name.ts';
import type { Draft, Settings } from '../draft.ts';
import type { SettingField } from './settings-form.ts';

export interface Content {
  readonly hasLink: boolean;
  readonly media: readonly ('image' | 'video' | 'document')[];
}

type Rule = (settings: Settings, content: Content) => boolean;

const hasVideo: Rule = (_, { media }) => media.includes('video');
const isReel: Rule = (settings, content) => hasVideo(settings, content) && settings.videoType !== 'STORIES';
const isRepost: Rule = ({ repostEnabled }) => repostEnabled === true;
const isCommercial: Rule = ({ commercialContent }) => commercialContent === true;

/** When an option has an effect. Options without a rule always have one. */
const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  instagram: { shareToFeed: isReel, coverUrl: isReel },
  linkedin: {
    repostEnabled: (_, { media }) => media.length === 0,
    repostParentUrn: isRepost,
    repostVisibility: isRepost,
  },
  telegram: { disableWebPagePreview: (_, { hasLink }) => hasLink },
  tiktok: { allowDuet: hasVideo, allowStitch: hasVideo, brandOrganic: isCommercial, brandedContent: isCommercial },
};

/** The options with which a network accepts a post without text. */
const textOptional: Readonly<Record<string, Rule>> = { linkedin: isRepost };

/** Whether there is something to post. The service refuses even to check anything else. */
export const hasContent = ({ text, channels, settings }: Draft): boolean =>
  text.trim() !== '' ||
  (text === '' &&
    channels.map(platformOf).some((one) => textOptional[one]?.(settings[one] ?? {}, { hasLink: false, media: [] })));

/** Options that affect this post, and those that are set, so that no setting is hidden. */
export const fieldsThatMatter = (
  platform: string,
  fields: readonly SettingField[],
  settings: Settings,
  content: Content,
): readonly SettingField[] =>
  fields.filter((field) => {
    const matters = rules[platform]?.[field.name];
    return !matters || matters(settings, content) || isSet(field, settings);
  });

/** Resets options whose enabling option is off. */
export function withoutOrphans(platform: string, settings: Settings): Settings {
  const isOrphan = (name: string) => {
    const rule = rules[platform]?.[name];
    return (rule === isRepost || rule === isCommercial) && !rule(settings, { hasLink: false, media: [] });
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      isOrphan(name) ? (typeof value === 'string' ? '' : false) : value,
    ]),
  );
}

const isSet = ({ name, defaultValue }: SettingField, settings: Settings) => {
  const value = settings[name];
  return value !== undefined && value !== null && value !== '' && value !== defaultValue;
};
