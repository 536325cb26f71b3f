import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { serve } from '../../test/support/servers/local.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

interface Share {
  title?: string;
  text?: string;
  url?: string;
  files?: readonly { name: string; type: string; base64: string }[];
}

/** Sends the form that a phone sends when someone shares with the installed app. */
const share = (page: Page, shared: Share, action = '/share') =>
  page.evaluate(`(({ action, files = [], ...words }) => {
    const form = Object.assign(document.createElement('form'), { method: 'POST', enctype: 'multipart/form-data', action });
    const field = (name, type) => {
      const input = Object.assign(document.createElement('input'), { name, type, multiple: true });
      form.append(input);
      return input;
    };
    for (const [name, value] of Object.entries(words)) field(name, 'text').value = value;
    const chosen = new DataTransfer();
    for (const { name, type, base64 } of files)
      chosen.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type }));
    field('files', 'file').files = chosen.files;
    document.body.append(form);
    form.submit();
  })(${JSON.stringify({ ...shared, action })})`);

const workerIsReady = (page: Page) =>
  page.waitForFunction(
    `navigator.serviceWorker.getRegistration('/share').then((found) => found?.active?.state === 'activated')`,
  );

async function aPhoto() {
  const picture = sharp({ create: { width: 400, height: 300, channels: 3, background: '#4267df' } });
  return { name: 'harbour.png', type: 'image/png', base64: (await picture.png().toBuffer()).toString('base64') };
}

/** Changes that the page asked the service for. */
function changesOf(page: Page): string[] {
  const changes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname !== '/share' && !pathname.includes('validate')) changes.push(pathname);
  });
  return changes;
}

journeys('the dashboard as an app', () => {
  test('has a manifest and icons with which Chromium installs it', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/calendar');
    const devTools = await page.context().newCDPSession(page);
    const { url, errors, data } = await devTools.send('Page.getAppManifest');
    expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
    const manifest = JSON.parse(data ?? '');
    expect(manifest).toMatchObject({
      start_url: '/calendar',
      display: 'standalone',
      share_target: { action: '/share' },
    });
    const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors');
    // Playwright's contexts are like private windows, in which nothing can be installed.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    for (const { src, sizes } of [...manifest.icons, { src: '/icons/apple-touch-icon.png', sizes: '180x180' }]) {
      const answer = await page.request.get(src);
      const { width, height, format } = await sharp(await answer.body()).metadata();
      expect([`${width}x${height}`, format, answer.headers()['content-type']]).toEqual([sizes, 'png', 'image/png']);
    }
    expect((await page.request.get('/manifest.webmanifest')).headers()).toMatchObject({
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    });
    expect((await page.request.get('/share-worker.js')).headers()['cache-control']).toBe('no-cache');
  });

  test('takes a shared photo and link into the composer, once the person agrees', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], width: 390, height: 844 });
    await page.goto('/calendar');
    await workerIsReady(page);
    await share(page, { title: 'Open days', text: 'https://example.com/open-days', files: [await aPhoto()] });
    const dialog = page.getByRole('dialog', { name: 'Add to a new post?' });
    await dialog.getByText('harbour.png').waitFor();
    await inspect(page, 'share-dialog');
    await dialog.getByRole('button', { name: 'Add to post' }).click();
    const text = page.getByLabel('Post text');
    await expect.poll(() => text.inputValue()).toBe('Open days\nhttps://example.com/open-days');
    await page.getByText('harbour.png').first().waitFor();
    await page.getByRole('group', { name: 'Post to' }).getByRole('button').first().click();
    await expect
      .poll(
        async () => (await user.call('GET', '/media')).body.media?.map(({ status }: { status: string }) => status),
        {
          timeout: 15_000,
        },
      )
      .toEqual(['ready']);
    // Pages pass through no worker, and nothing of the account is in a cache.
    const kept = `caches.keys().then((names) => [navigator.serviceWorker.controller, names])`;
    expect(await page.evaluate(kept)).toEqual([null, []]);
  });

  test('neither saves nor uploads what another site sends', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/calendar');
    await workerIsReady(page);
    const evil = await serve((_, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>A nice site</h1>'),
    );
    try {
      await page.goto(evil.url);
      const changes = changesOf(page);
      await share(page, { text: 'Buy our coins', files: [await aPhoto()] }, `${stage.url}/share`);
      const dialog = page.getByRole('dialog', { name: 'Add to a new post?' });
      await dialog.getByText('Buy our coins').waitFor();
      // Longer than the composer waits before it saves.
      await page.waitForTimeout(2_500);
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await expect.poll(() => dialog.count()).toBe(0);
      expect([changes, await page.getByLabel('Post text').inputValue()]).toEqual([[], '']);
      expect((await user.call('GET', '/list-posts')).body.posts).toEqual([]);
    } finally {
      await evil.close();
    }
  });

  test('asks to share again if the worker is not there, and keeps a share while its user signs in', async ({
    stage,
  }) => {
    const user = await stage.aUser({ networks: ['mastodon'] });
    const page = await stage.aPage();
    // The first page of this browser: it has no worker yet.
    const answer = await page.request.post('/share', { multipart: { text: 'Too early' }, maxRedirects: 0 });
    expect([answer.status(), answer.headers().location]).toEqual([303, '/compose?shared=1']);
    await page.goto('/signin');
    await workerIsReady(page);
    await share(page, { text: 'Shared before signing in' });
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('dialog').getByText('Shared before signing in').waitFor();
    // Each share is handed over once.
    await page.goto('/compose?shared=1');
    await page.getByText('Crier didn’t receive what you shared. Share it again.').waitFor();
  });
});
