import { describe, expect, test } from 'vitest';
import { issuesOf, noticesOf } from './issues.ts';

describe('what the composer says about a post', () => {
  const found = (severity: 'error' | 'warning', message: string) =>
    issuesOf([{ platform: 'twitter', code: 'CONTENT_TOO_LONG', message, field: 'content', severity }]);

  test('calls X by the name that people know', () => {
    const message = "Content exceeds Twitter/X's 280 character limit (currently 330)";
    expect(found('error', message)).toMatchObject([
      { message: "Content exceeds X's 280 character limit (currently 330)" },
    ]);
  });

  test('is not that a text is too long where it becomes a thread', () => {
    expect(found('warning', "Content exceeds Twitter/X's 280 character limit (currently 330)")).toEqual([]);
  });

  test('names every network that has the same text', () => {
    const duplicate = (platformId: string) => ({
      code: 'DUPLICATE_CONTENT',
      message: '',
      platformId,
      postGroupId: 'p',
    });
    const [one] = noticesOf([duplicate('twitter-1')]);
    expect(one).toMatchObject({ severity: 'warning', postGroupId: 'p' });
    expect(one!.message).toMatch(/already on X, or planned for it/);
    const [both] = noticesOf([duplicate('twitter-1'), duplicate('linkedin-1')]);
    expect(both!.message).toMatch(/already on X and LinkedIn, or planned for them/);
  });
});
