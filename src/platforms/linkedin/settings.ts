import { z } from 'zod';
import { flag, type Issue, optionalChoice, type SettingRules, type SettingTarget, text } from '../kit/index.ts';

export const settings = z.strictObject({
  repostEnabled: flag().default(false).meta({
    title: 'Repost',
    description: 'Repost another post: the text becomes the commentary, and media is not allowed.',
  }),
  repostParentUrn: text()
    .trim()
    .regex(/^(urn:li:(share|ugcPost):[\w-]+)?$/, {
      error: 'must be a LinkedIn post URN like urn:li:share:<id> or urn:li:ugcPost:<id>',
    })
    .default('')
    .meta({
      title: 'Post to repost',
      description: 'The URN of the LinkedIn post, such as urn:li:share:7101. Required to repost.',
    }),
  repostVisibility: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toUpperCase() : value),
      optionalChoice('PUBLIC', 'CONNECTIONS').default(''),
    )
    .meta({ title: 'Who can view the repost', description: 'CONNECTIONS is for personal connections only.' }),
});
type Settings = z.output<typeof settings>;

export const settingRules = {
  textOptional: ({ repostEnabled }) => repostEnabled,
  textOptionalAsSent: ({ repostEnabled, repostParentUrn }) =>
    repostEnabled === true || (typeof repostParentUrn === 'string' && repostParentUrn.trim() !== ''),
  conflict,
  conflictWith,
  issues,
} as const satisfies SettingRules<Settings>;

const urn = 'platformSettings.linkedin.repostParentUrn';

function conflict({ repostEnabled, repostParentUrn }: Settings): string | null {
  if (repostEnabled && repostParentUrn === '') return `${urn} is required when repostEnabled is true`;
  if (!repostEnabled && repostParentUrn !== '') return `${urn} must be empty when repostEnabled is false`;
  return null;
}

function conflictWith({ repostEnabled, repostVisibility }: Settings, targets: readonly SettingTarget[]): string | null {
  return repostEnabled && repostVisibility === 'CONNECTIONS' && targets.some(({ isCompanyPage }) => isCompanyPage)
    ? 'LinkedIn company-page reposts cannot use CONNECTIONS visibility; choose PUBLIC'
    : null;
}

function issues({ repostEnabled }: Settings, { hasMedia }: { hasMedia: boolean }): Issue[] {
  if (!repostEnabled || !hasMedia) return [];
  const message = 'LinkedIn reposts cannot include media — remove the attached files or turn off the repost setting';
  return [{ code: 'MEDIA_TYPE_NOT_SUPPORTED', message, field: 'media' }];
}
