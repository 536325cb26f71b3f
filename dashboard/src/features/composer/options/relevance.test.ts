import { describe, expect, test } from 'vitest';
import { emptyDraft } from '../draft.ts';
import { type Content, fieldsThatMatter, hasContent, withoutOrphans } from './relevance.ts';

describe('relevant options', () => {
  const field = (name: string, defaultValue: unknown = false) => ({
    name,
    label: name,
    help: '',
    kind: 'flag' as const,
    options: [],
    defaultValue,
    isForNewPosts: true,
  });
  const names = (platform: string, fields: string[], settings: object, content: Partial<Content> = {}) =>
    fieldsThatMatter(
      platform,
      fields.map((name) => field(name)),
      { ...settings },
      { hasLink: false, media: [], ...content },
    ).map(({ name }) => name);
  const repost = ['repostEnabled', 'repostParentUrn', 'repostVisibility'];

  test.each([
    ['linkedin', repost, {}, {}, ['repostEnabled']],
    ['linkedin', repost, { repostEnabled: true }, {}, repost],
    ['linkedin', repost, {}, { media: ['image'] }, []],
    ['linkedin', repost, { repostEnabled: true }, { media: ['image'] }, repost],
    ['telegram', ['disableWebPagePreview'], {}, {}, []],
    ['telegram', ['disableWebPagePreview'], {}, { hasLink: true }, ['disableWebPagePreview']],
    ['telegram', ['disableWebPagePreview'], { disableWebPagePreview: true }, {}, ['disableWebPagePreview']],
    ['instagram', ['shareToFeed', 'coverUrl'], { videoType: 'STORIES' }, { media: ['video'] }, []],
    ['instagram', ['shareToFeed', 'coverUrl'], {}, { media: ['video'] }, ['shareToFeed', 'coverUrl']],
  ] as const)('on %s of %j with %j and %j are %j', (platform, fields, settings, content, expected) => {
    expect(names(platform, [...fields], settings, content)).toEqual(expected);
  });

  test('return to their defaults when the option that enables them is off', () => {
    const settings = { repostEnabled: false, repostParentUrn: 'urn:li:share:1' };
    expect(withoutOrphans('linkedin', settings)).toEqual({ repostEnabled: false, repostParentUrn: '' });
    expect(withoutOrphans('linkedin', { ...settings, repostEnabled: true })).toEqual({
      repostEnabled: true,
      repostParentUrn: 'urn:li:share:1',
    });
  });
});

describe('there is something to post', () => {
  const draft = { ...emptyDraft, channels: ['linkedin-1', 'mastodon-1'] };

  test.each([
    ['with a text', { text: 'Hello' }, true],
    ['not with white space', { text: ' \n' }, false],
    ['not with options alone', { settings: { mastodon: { visibility: 'public' } } }, false],
    ['with a repost on LinkedIn', { settings: { linkedin: { repostEnabled: true } } }, true],
  ])('%s', (_, more, expected) => {
    expect(hasContent({ ...draft, ...more })).toBe(expected);
  });
});
