import { describe, expect, test } from 'vitest';
import { startTikTok } from './testing.ts';

describe('TikTok pages', () => {
  test('posts and profiles are at their real addresses', async () => {
    const tiktok = await startTikTok();
    const ann = await tiktok.person('ann');
    await ann.publish({ title: 'Look <here>' });
    const [post] = await tiktok.posts();
    for (const address of [post.url, ann.account.profileUrl]) {
      const page = await tiktok.at(address.replace('https:/', ''));
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Look &lt;here&gt;')]);
    }
    expect((await tiktok.at(ann.account.avatarUrl.replace('https:/', ''))).status).toBe(200);
    expect((await tiktok.at('/www.tiktok.com/@ann/video/1')).status).toBe(404);
  });
});
