import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

journeys('developers', () => {
  test('a key is created, used, renamed and revoked', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/developers/keys');
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    expect(await page.title()).toBe('API keys · Crier');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Blog server');
    await dialog.getByLabel('Workspace').uncheck();
    await dialog.getByLabel('Expires').selectOption('In 30 days');
    await dialog.getByLabel('Allowed IP addresses').fill('127.0.0.1, ::1');
    await inspect(page, 'key-new');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByRole('group', { name: 'API key' }).innerText();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    await dialog.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    const firstCall = await dialog.getByRole('group', { name: 'First call' }).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row(page, 'Blog server').getByText('Read, Write, Media, Webhooks').waitFor();
    await row(page, 'Blog server').getByText('Only from 127.0.0.1, ::1').waitFor();
    await row(page, 'Blog server').getByText('Never').first().waitFor();
    expect(await page.getByText(key).count()).toBe(0);

    const { stdout } = await promisify(execFile)('sh', ['-c', firstCall]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
    const asProgram = (path: string) => fetch(`${stage.url}/api/v1${path}`, { headers: { 'x-service-key': key } });
    expect((await asProgram('/platform-connections')).status).toBe(200);
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('button', { name: 'Edit Blog server' }).click();
    await page.getByRole('dialog', { name: 'Edit key' }).getByLabel('Name').fill('Old blog server');
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Webhooks' }).uncheck();
    await page.getByRole('dialog').getByLabel('Expires').selectOption('In 1 year');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await row(page, 'Old blog server').getByText('Read, Write, Media', { exact: true }).waitFor();
    await row(page, 'Old blog server')
      .getByText(/^(in 1 year|next year|in 12 months)$/)
      .waitFor();
    expect((await asProgram('/webhooks')).status).toBe(403);
    // It was used a moment ago.
    await row(page, 'Old blog server').getByRole('cell', { name: 'now', exact: true }).waitFor();
    await inspect(page, 'keys');
    await row(page, 'Old blog server').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText('This can’t be undone.').waitFor();
    const remaining = page.getByRole('dialog').getByRole('list').getByRole('link');
    expect(await remaining.allInnerTexts()).toEqual(['Posts']);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row(page, 'Old blog server').waitFor({ state: 'detached' });
    expect((await asProgram('/platform-connections')).status).toBe(401);
  });

  test('a key that only reads is shown a call that it may make, in a dialog that fits a phone', async ({ stage }) => {
    const { page } = await stage.signedIn({ width: 360, height: 640 });
    await page.goto('/developers/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Reports');
    for (const scope of ['Write', 'Media', 'Webhooks', 'Workspace'])
      await dialog.getByRole('checkbox', { name: scope }).uncheck();
    const { y, height } = (await dialog.getByRole('button', { name: 'Create key' }).boundingBox())!;
    expect(y + height).toBeLessThan((await dialog.boundingBox())!.y + (await dialog.boundingBox())!.height);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const firstCall = await dialog.getByRole('group', { name: 'First call' }).innerText();
    const { stdout } = await promisify(execFile)('sh', ['-c', firstCall]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, connections: [] });
  });

  test('a new key in the sandbox comes with a call that publishes on a channel of the account', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['youtube', 'mastodon'] });
    await page.goto('/developers/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Blog server');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    // YouTube takes no post without a video.
    const call = await dialog.getByRole('group', { name: 'First post' }).innerText();
    expect(call).toContain(user.channels[1]);
    await inspect(page, 'key-first-post');
    const { stdout } = await promisify(execFile)('sh', ['-c', call]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
    await page.goto('/posts');
    await row(page, 'Hello from the API').getByText('Published').waitFor();
  });

  test('a webhook is created, tested, resent and deleted, and shows responses live', async ({ stage }) => {
    const { page, user } = await stage.signedIn();
    const { receiver } = stage;
    const before = receiver.received.length;
    await page.goto('/developers/webhooks');
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    const local = page.getByRole('region', { name: 'Test on your machine' });
    await local.getByText(`npx crier login --url ${stage.url}`).waitFor();
    const stream = await local.getByRole('group', { name: 'Command to stream events' }).innerText();
    const events = await fetch(/"(http.+?)"/.exec(stream)![1]!, { headers: { 'x-service-key': user.apiKey } });
    const chunks = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    let read = '';
    while (!read.includes('event: ready')) read += (await chunks.read()).value;
    await chunks.cancel();
    await inspect(page, 'webhooks-local');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Team chat');
    await dialog.getByLabel('URL').fill(`${receiver.url}/hook`);
    await dialog.getByRole('checkbox', { name: 'token.expiring' }).check();
    expect(await dialog.getByLabel('Enabled').isChecked()).toBe(true);
    await inspect(page, 'webhook-new');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByRole('group', { name: 'Secret' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Team chat' }).click();
    await page.getByRole('heading', { name: 'Team chat', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test event queued. The result appears under “Deliveries”.').waitFor();
    await page.getByText('1 failed attempt', { exact: true }).waitFor();
    await page.getByText('1 attempt').waitFor();
    await page.getByRole('button', { name: /attempt/ }).click();
    await page.getByText('status 500').waitFor();
    await page.getByText('answer 500').waitFor();
    await page.getByRole('button', { name: /^Retrying webhook.test/ }).waitFor();
    await page.getByText(/^Next attempt: .+:\d\d:\d\d/).waitFor();
    await page.getByRole('button', { name: 'Copy delivery ID' }).waitFor();
    await page.getByRole('region', { name: /^Body of / }).waitFor();
    expect(receiver.received).toHaveLength(before + 1);
    await inspect(page, 'webhook');

    receiver.status = 200;
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Event sent again.').waitFor();
    await page
      .getByRole('button', { name: /Delivered/ })
      .first()
      .waitFor();
    receiver.status = 500;
    const [first, second] = receiver.received.slice(before);
    // The same event, so that receivers can deduplicate.
    expect(JSON.parse(second!)).toEqual(JSON.parse(first!));
    await page.getByText('status 200').first().waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Enabled').uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Couldn’t send the test').waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Create new secret' }).click();
    await page.getByRole('group', { name: 'Secret' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });
});
