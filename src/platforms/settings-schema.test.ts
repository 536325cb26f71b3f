import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { dereference } from '../../test/support/documents/dereference.ts';
import { NewPlatformSettings, PlatformSettings } from './settings-schema.ts';

/** With the platforms' shapes inlined. */
const schemaOf = (shape: z.ZodType) => dereference(z.toJSONSchema(shape, { io: 'input' }));

/** Every path with its type or allowed values and its default. */
function leaves(schema: z.core.JSONSchema.BaseSchema, path = ''): Record<string, unknown> {
  if (!schema.properties) return { [path]: { values: schema.enum ?? schema.type, default: schema.default } };
  return Object.assign(
    {},
    ...Object.entries(schema.properties).map(([key, inner]) =>
      leaves(inner as z.core.JSONSchema.BaseSchema, path ? `${path}.${key}` : key),
    ),
  );
}

const boolean = (value?: boolean) => ({ values: 'boolean', default: value });
const string = (value?: string) => ({ values: 'string', default: value });

describe('[platform-settings] platformSettings in the OpenAPI document', () => {
  test('every key with its type, allowed values and default', () => {
    expect(leaves(schemaOf(PlatformSettings))).toEqual({
      'instagram.videoType': { values: ['REELS', 'STORIES'], default: 'REELS' },
      'instagram.coverUrl': string(),
      'instagram.cover_url': string(),
      'instagram.shareToFeed': boolean(),
      'threads.replyControl': { values: ['everyone', 'accounts_you_follow', 'mentioned_only', ''], default: '' },
      'tiktok.viewerSetting': {
        values: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY', ''],
        default: 'PUBLIC_TO_EVERYONE',
      },
      'tiktok.allowComments': boolean(true),
      'tiktok.allowDuet': boolean(false),
      'tiktok.allowStitch': boolean(false),
      'tiktok.commercialContent': boolean(false),
      'tiktok.brandOrganic': boolean(false),
      'tiktok.brandedContent': boolean(false),
      'linkedin.repostEnabled': boolean(false),
      'linkedin.repostParentUrn': string(''),
      'linkedin.repostVisibility': { values: ['PUBLIC', 'CONNECTIONS', ''], default: '' },
      'youtube.privacy': { values: ['private', 'public', 'unlisted'], default: 'public' },
      'youtube.title': string(''),
      'youtube.madeForKids': boolean(false),
      'youtube.tags': { values: undefined, default: undefined },
      'youtube.categoryId': string(),
      'youtube.playlist.id': string(''),
      'youtube.playlist.platformId': string(''),
      'youtube.thumbnail.mediaId': string(),
      'youtube.thumbnail.id': string(),
      'youtube.thumbnail.url': string(),
      'youtube.thumbnail.path': string(),
      'telegram.disableNotification': boolean(false),
      'telegram.disableWebPagePreview': boolean(false),
      'telegram.protectContent': boolean(false),
    });
  });

  test('tags are an array or a string', () => {
    const tags = { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] };
    expect(schemaOf(PlatformSettings)).toMatchObject({ properties: { youtube: { properties: { tags } } } });
  });

  test('a new post cannot have a thumbnail', () => {
    const all = Object.keys(leaves(schemaOf(PlatformSettings)));
    const onCreate = Object.keys(leaves(schemaOf(NewPlatformSettings)));
    expect(all.filter((path) => !onCreate.includes(path)).every((path) => path.startsWith('youtube.thumbnail'))).toBe(
      true,
    );
    expect(onCreate.filter((path) => path.startsWith('youtube.thumbnail'))).toEqual([]);
  });

  test('nothing else is allowed, and every option is described', () => {
    const schema = schemaOf(PlatformSettings);
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false, description: expect.any(String) });
    for (const platform of Object.values(schema.properties ?? {}) as (typeof schema)[]) {
      expect(platform).toMatchObject({ type: 'object', additionalProperties: false });
      for (const field of Object.values(platform.properties ?? {})) expect(field).toHaveProperty('description');
    }
  });

  test('each platform has a component, which create and update share where they are alike', () => {
    const componentsOf = (shape: z.ZodType) => Object.keys(z.toJSONSchema(shape, { io: 'input' }).$defs ?? {});
    const shared = ['InstagramSettings', 'LinkedinSettings', 'TelegramSettings', 'ThreadsSettings', 'TiktokSettings'];
    expect(componentsOf(PlatformSettings).sort()).toEqual(['PlatformSettings', 'YoutubeSettings', ...shared].sort());
    expect(componentsOf(NewPlatformSettings).sort()).toEqual(
      ['NewPlatformSettings', 'NewYoutubeSettings', ...shared].sort(),
    );
  });
});
