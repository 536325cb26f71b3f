import { describe, expect, test } from 'vitest';
import { issuesOf, noticesOf } from './issues.ts';

describe('validation messages in the composer', () => {
  const found = (severity: 'error' | 'warning', message: string) =>
    issuesOf([{ platform: 'twitter', code: 'CONTENT_TOO_LONG', message, field: 'content', severity }]);

  test('say X instead of Twitter/X', () => {
    const message = "Content exceeds Twitter/X's 280 character limit (currently 330)";
    expect(found('error', message)).toMatchObject([
      { message: "Content exceeds X's 280 character limit (currently 330)" },
    ]);
  });

  test('omit that a text is too long if it becomes a thread', () => {
    expect(found('warning', "Content exceeds Twitter/X's 280 character limit (currently 330)")).toEqual([]);
  });

  test('appear once for several channels of a network', () => {
    const media = (platform: string) => ({
      platform,
      code: 'MEDIA_REQUIRED',
      message: 'Needs media',
      field: 'media',
      severity: 'error' as const,
    });
    const issues = issuesOf([media('instagram'), media('instagram'), media('tiktok')]);
    expect(issues.map(({ platform }) => platform)).toEqual(['instagram', 'tiktok']);
  });

  test('name every network with the same text', () => {
    const duplicate = (platformId: string) => ({
      code: 'DUPLICATE_CONTENT',
      message: '',
      platformId,
      postGroupId: 'p',
    });
    const [one] = noticesOf([duplicate('twitter-1')]);
    expect(one).toMatchObject({ severity: 'warning', postGroupId: 'p' });
    expect(one!.message).toMatch(/already published or scheduled on X\. .* X may reject/);
    const [both] = noticesOf([duplicate('twitter-1'), duplicate('linkedin-1')]);
    expect(both!.message).toMatch(/already published or scheduled on X and LinkedIn\. .* they may reject/);
  });
});
