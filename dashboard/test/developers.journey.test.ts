import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../test/support/local-server.ts';
import { accessibilityProblems, chromiumPath, openStage, type Stage } from './support/stage.ts';

describe.skipIf(!chromiumPath)('developers', { timeout: 90_000 }, () => {
  let stage: Stage;
  let receiver: Awaited<ReturnType<typeof serve>>;
  const received: string[] = [];
  let answerStatus = 500;
  beforeAll(async () => {
    receiver = await serve(async (request, response) => {
      received.push(Buffer.concat(await request.toArray()).toString());
      response.writeHead(answerStatus).end(`answer ${answerStatus}`);
    });
    stage = await openStage({ EGRESS_ALLOW: new URL(receiver.url).host });
  });
  afterAll(async () => {
    await stage?.close();
    await receiver?.close();
  });

  const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });
  const inBothThemes = async (page: Page) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await accessibilityProblems(page), colorScheme).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };

  test('a key is created, used, found among the requests, renamed and revoked', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/developers/keys');
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    expect(await page.title()).toBe('API keys · Crier');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Blog server');
    await dialog.getByLabel('Workspace').uncheck();
    await dialog.getByLabel('Expires').selectOption('In 30 days');
    await dialog.getByLabel('Addresses').fill('127.0.0.1, ::1');
    await inBothThemes(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'Copy' }).waitFor();
    const key = await dialog.getByRole('group', { name: 'API key' }).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row(page, 'Blog server').getByText('Read, Write, Media, Webhooks').waitFor();
    await row(page, 'Blog server').getByText('Only from 127.0.0.1, ::1').waitFor();
    expect(await page.getByText(key).count()).toBe(0);

    const asProgram = (path: string) => fetch(`${stage.url}/api/v1${path}`, { headers: { 'x-service-key': key } });
    expect((await asProgram('/platform-connections')).status).toBe(200);
    const missing = await asProgram(`/get-post/${'0'.repeat(24)}`);
    expect(missing.status).toBe(404);
    const { requestId } = (await missing.json()) as { requestId?: string };

    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh' }).click();
          return row(page, 'POST_GROUP_NOT_FOUND').count();
        },
        { timeout: 15_000 },
      )
      .toBe(1);
    await row(page, '/platform-connections').getByText('200').waitFor();
    await row(page, 'POST_GROUP_NOT_FOUND').getByRole('button', { name: 'Copy request id' }).waitFor();
    if (requestId) await row(page, requestId.slice(-8)).getByText('404').waitFor();
    await page.getByText('Errors', { exact: true }).click();
    await row(page, '/platform-connections').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?errors=true');
    await inBothThemes(page);

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Rename Blog server' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Old blog server');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await row(page, 'Old blog server').waitFor();
    await inBothThemes(page);
    await row(page, 'Old blog server').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row(page, 'Old blog server').waitFor({ state: 'detached' });
    expect((await asProgram('/platform-connections')).status).toBe(401);
  });

  test('a webhook is created, tested, read, sent again and deleted, and shows each answer as it comes', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/developers/webhooks');
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Team chat');
    await dialog.getByLabel('URL').fill(`${receiver.url}/hook`);
    await dialog.getByRole('checkbox', { name: 'token.expiring' }).check();
    expect(await dialog.getByLabel('Enabled').isChecked()).toBe(true);
    await inBothThemes(page);
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByRole('group', { name: 'Secret' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Team chat' }).click();
    await page.getByRole('heading', { name: 'Team chat', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('1 attempt').waitFor();
    await page.getByRole('button', { name: /attempt/ }).click();
    await page.getByText('answered 500').waitFor();
    await page.getByText('answer 500').waitFor();
    await page.getByRole('region', { name: /^Body of / }).waitFor();
    expect(received).toHaveLength(1);
    await inBothThemes(page);

    answerStatus = 200;
    await page.getByRole('button', { name: 'Send again' }).first().click();
    await page.getByText('Delivered').first().waitFor();
    await expect.poll(() => received.length).toBeGreaterThanOrEqual(2);

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Enabled').uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByRole('group', { name: 'Secret' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });

  test('agents are set up with what the page says', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/developers/mcp');
    await page.getByRole('group', { name: 'Address of the MCP server' }).getByText(`${stage.url}/mcp`).waitFor();
    await page.getByRole('tab', { name: 'Command line' }).click();
    await page.getByText(`claude mcp add --transport http crier ${stage.url}/mcp`).waitFor();
    expect(new URL(page.url()).search).toBe('?client=cli');
    await page.getByText('Nothing is connected yet.').waitFor();
    await inBothThemes(page);
  });
});
