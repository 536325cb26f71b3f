import { describe, expect, test } from 'vitest';
import { tinyMp4, tinyPng } from '../test-media.ts';
import { startTestSandbox } from '../testing.ts';

describe('the pages for people', () => {
  test('the home page lists networks with their counts', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await ann.publish({ status: 'one' });
    const page = await (await sandbox.at('/')).text();
    expect(page).toMatch(/href="\/feed\/mastodon"[\s\S]*1 post · 1 account/);
  });

  test('the text of a post is shown as text, never as markup', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    const evil = `<script>alert(1)</script> "><img src=x onerror=alert(2)> https://a.test/"onmouseover="alert(3)`;
    const { id } = await (await ann.upload(tinyPng, { description: '"><script>alert(4)</script>' })).json();
    const { url } = await (await ann.publish({ status: evil, spoiler_text: '<i>cw</i>', media_ids: [id] })).json();
    for (const path of ['/feed/mastodon', url.replace('https:/', ''), '/mastodon.social/@ann']) {
      const response = await sandbox.at(path);
      const page = await response.text();
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(page).toContain('<a href="https://a.test/" rel="nofollow noopener noreferrer">');
      expect(page).not.toMatch(/<script>|<img src=x|<i>|"onmouseover/);
      expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'/);
    }
  });

  test('a javascript address does not become a link', async () => {
    const sandbox = await startTestSandbox();
    await (await sandbox.account('ann')).publish({ status: 'javascript:alert(1)' });
    expect(await (await sandbox.at('/feed/mastodon')).text()).not.toContain('href="javascript');
  });

  test('the feed shows newest posts first, replies under their parents, images and players', async () => {
    const sandbox = await startTestSandbox({ processingMs: 0 });
    const ann = await sandbox.account('ann');
    const image = await (await ann.upload(tinyPng, { description: 'a dot' })).json();
    const video = await (await ann.upload(tinyMp4)).json();
    const first = await (await ann.publish({ status: 'older', media_ids: [image.id] })).json();
    await ann.publish({ status: 'newer', media_ids: [video.id] });
    await ann.publish({ status: 'answer', in_reply_to_id: first.id });
    const page = await (await sandbox.at('/feed/mastodon')).text();
    expect(page.indexOf('newer')).toBeLessThan(page.indexOf('older'));
    expect(page.indexOf('older')).toBeLessThan(page.indexOf('answer'));
    expect(page).toMatch(/class="replies"><article[\s\S]*answer/);
    expect(page).toMatch(/<img src="\/media\/[0-9a-f]{64}" alt="a dot"/);
    expect(page).toMatch(/<video src="\/media\/[0-9a-f]{64}" controls/);
    const [, path = ''] = /<img src="(\/media\/[^"]+)" alt="a dot"/.exec(page) ?? [];
    const served = await sandbox.at(path);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('an unchanged feed is not sent again', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    const tag = (await sandbox.at('/feed/mastodon')).headers.get('etag') ?? '';
    const ask = () => sandbox.at('/feed/mastodon', { headers: { 'if-none-match': tag } });
    expect((await ask()).status).toBe(304);
    await ann.publish({ status: 'one' });
    expect((await ask()).status).toBe(200);
  });

  test('a post’s own address shows it with its replies; an unknown address is 404', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    const { id, url } = await (await ann.publish({ status: 'hello there' })).json();
    await ann.publish({ status: 'and on', in_reply_to_id: id });
    const page = await (await sandbox.at(url.replace('https:/', ''))).text();
    expect(page).toContain('hello there');
    expect(page).toContain('and on');
    expect((await sandbox.at('/mastodon.social/@ann/1')).status).toBe(404);
    expect((await sandbox.at('/feed/orkut')).status).toBe(404);
  });

  test('an avatar is an image at its real address', async () => {
    const sandbox = await startTestSandbox();
    const { account } = await sandbox.account('ann');
    const response = await sandbox.at(account.avatarUrl.replace('https:/', ''));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});
