import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import type { Stage } from './support/stage.ts';

journeys('developers', { timeout: 90_000 }, () => {
  let stage: Stage;
  test.beforeAll(({ stage: shared }) => {
    stage = shared;
  });

  const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

  test('agents connect with the shown setup and lose access when revoked', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/developers/mcp');
    await page.getByRole('group', { name: 'MCP server address' }).getByText(`${stage.url}/mcp`).waitFor();
    await page.getByRole('tab', { name: 'Command line' }).click();
    await page.getByText(`claude mcp add --transport http crier ${stage.url}/mcp`).waitFor();
    expect(new URL(page.url()).search).toBe('?client=cli');
    await page.getByText('No apps connected yet.').waitFor();
    await inspect(page, 'mcp');

    const key = await approveAgent(page);
    const asAgent = () => fetch(`${stage.url}/api/v1/platform-connections`, { headers: { 'x-service-key': key } });
    expect((await asAgent()).status).toBe(200);
    await page.goto('/developers/mcp');
    const connected = row(page, 'Created for An agent');
    await connected.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^“An agent” loses access immediately/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No apps connected yet.').waitFor();
    expect((await asAgent()).status).toBe(401);
  });

  /** Registers an application, approves it as the user, and returns the application's key. */
  async function approveAgent(page: Page): Promise<string> {
    const post = async (path: string, headers: Record<string, string>, body: string) =>
      (await (await fetch(`${stage.url}${path}`, { method: 'POST', headers, body })).json()) as Record<string, string>;
    const redirectUri = `${stage.receiver.url}/callback`;
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
