import { createHash } from 'node:crypto';
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
    const key = await dialog.getByRole('group', { name: 'API key' }).innerText();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row(page, 'Blog server').getByText('Read, Write, Media, Webhooks').waitFor();
    await row(page, 'Blog server').getByText('Only from 127.0.0.1, ::1').waitFor();
    await row(page, 'Blog server').getByText('Never').first().waitFor();
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
    // It was used a moment ago.
    await row(page, 'Old blog server').getByRole('cell', { name: 'now', exact: true }).waitFor();
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
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The event is on its way again.').waitFor();
    await page
      .getByRole('button', { name: /Delivered/ })
      .first()
      .waitFor();
    expect(received.length).toBeGreaterThanOrEqual(2);
    // The same event, so that a receiver can tell that it has it already.
    expect(JSON.parse(received[1]!)).toEqual(JSON.parse(received[0]!));
    await page.getByText('answered 200').first().waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Enabled').uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('No test was sent').waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByRole('group', { name: 'Secret' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });

  test('agents are set up with what the page says, and lose their access when it is revoked', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/developers/mcp');
    await page.getByRole('group', { name: 'Address of the MCP server' }).getByText(`${stage.url}/mcp`).waitFor();
    await page.getByRole('tab', { name: 'Command line' }).click();
    await page.getByText(`claude mcp add --transport http crier ${stage.url}/mcp`).waitFor();
    expect(new URL(page.url()).search).toBe('?client=cli');
    await page.getByText('Nothing is connected yet.').waitFor();
    await inBothThemes(page);

    const key = await approveAgent(page);
    const asAgent = () => fetch(`${stage.url}/api/v1/platform-connections`, { headers: { 'x-service-key': key } });
    expect((await asAgent()).status).toBe(200);
    await page.goto('/developers/mcp');
    const connected = row(page, 'Made for An agent');
    await connected.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^An agent is refused from now on/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Nothing is connected yet.').waitFor();
    expect((await asAgent()).status).toBe(401);
  });

  /** Registers an application, lets the person approve it, and returns the key that the application gets. */
  async function approveAgent(page: Page): Promise<string> {
    const post = async (path: string, headers: Record<string, string>, body: string) =>
      (await (await fetch(`${stage.url}${path}`, { method: 'POST', headers, body })).json()) as Record<string, string>;
    const redirectUri = `${receiver.url}/callback`;
    const { client_id: clientId = '' } = await post(
      '/register',
      { 'content-type': 'application/json' },
      JSON.stringify({ client_name: 'An agent', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
    );
    const verifier = 'v'.repeat(43);
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${stage.url}/mcp`,
    };
    await page.goto(`/authorize?${new URLSearchParams(query)}`);
    const back = page.waitForRequest((request) => request.url().startsWith(redirectUri));
    await page.getByRole('button', { name: 'Approve' }).click();
    const code = new URL((await back).url()).searchParams.get('code')!;
    const tokens = await post(
      '/token',
      { 'content-type': 'application/x-www-form-urlencoded' },
      String(
        new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          client_id: clientId,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }),
      ),
    );
    return tokens.access_token ?? '';
  }
});
