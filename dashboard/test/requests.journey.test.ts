import { expect } from 'vitest';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('requests', () => {
  test('calls appear live, are searched and filtered, and open with headers, error and hint', async ({ stage }) => {
    const { page, user } = await stage.signedIn();
    const call = (path: string, headers = {}) =>
      fetch(`${stage.url}/api/v1${path}`, { headers: { 'x-service-key': user.apiKey, ...headers } });
    const { apiKeys } = (await (await page.request.get('/api/v1/auth/api-keys')).json()) as {
      apiKeys: { name: string }[];
    };
    const keyName = apiKeys[0]!.name;
    const row = (words: string) => page.getByRole('row').filter({ hasText: words });
    await page.goto('/developers/requests');
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await call('/platform-connections');
    const missing = await call(`/get-post/${'0'.repeat(24)}`, { 'user-agent': 'blog/1.0', cookie: 'theme=hidden' });
    const { requestId } = (await missing.json()) as { requestId: string };
    await row('POST_GROUP_NOT_FOUND').waitFor();
    await row('/platform-connections').getByText('200').waitFor();
    // Several calls of a minute are told apart.
    await row('/platform-connections')
      .getByText(/:\d\d:\d\d/)
      .waitFor();

    const search = page.getByRole('searchbox', { name: 'Search requests' });
    await search.fill(requestId);
    await row('/platform-connections').waitFor({ state: 'detached' });
    await row('POST_GROUP_NOT_FOUND').waitFor();
    await search.fill(keyName);
    await row('/platform-connections').getByText(keyName).waitFor();
    await search.fill('200');
    await row('POST_GROUP_NOT_FOUND').waitFor({ state: 'detached' });
    await row('/platform-connections').waitFor();
    await search.fill('');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: '4xx client error' }).click();
    await row('/platform-connections').waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('?status=4xx');
    await page.getByRole('combobox', { name: 'Path' }).click();
    await page.getByRole('option', { name: '/platform-connections' }).click();
    await page.getByRole('heading', { name: 'No matching requests' }).waitFor();
    await inspect(page, 'requests-none');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Key' }).click();
    expect(await page.getByRole('option').count()).toBe(1);
    await page.getByRole('option').click();

    await page.getByRole('button', { name: 'GET /get-post/{postGroupId}' }).press('Enter');
    const panel = page.getByRole('dialog', { name: 'GET /get-post/{postGroupId}' });
    await panel.getByText('Post group not found').waitFor();
    await panel.getByText('GET /list-posts lists your post groups.').waitFor();
    await panel.getByText(requestId).waitFor();
    await panel.getByRole('region', { name: 'Request headers' }).getByText('blog/1.0').waitFor();
    await panel.getByRole('region', { name: 'Response headers' }).getByText('application/json').waitFor();
    expect(await panel.getByText('hidden').count()).toBe(0);
    expect(await page.content()).not.toContain(user.apiKey.split('.')[1]);
    await inspect(page, 'request');
    // The address of an open call can be shared between tabs.
    await page.reload();
    await panel.getByText('Post group not found').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('call')).toBe(false);
  });

  test('bodies are stored for an hour on request, and shown formatted', async ({ stage }) => {
    const { page, user } = await stage.signedIn();
    const validate = () =>
      fetch(`${stage.url}/api/v1/validate-post`, {
        method: 'POST',
        headers: { 'x-service-key': user.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'What the app sent', platforms: [] }),
      });
    await page.goto('/developers/requests');
    await validate();
    await page.getByRole('button', { name: 'POST /validate-post' }).press('Enter');
    const notStored = page.getByText('To see the bodies of your next calls, choose “Store bodies for one hour”');
    await notStored.first().waitFor();
    expect(await notStored.count()).toBe(2);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Store bodies for one hour' }).click();
    await page.getByText('Storing bodies until').waitFor();
    await validate();
    const calls = page.getByRole('button', { name: 'POST /validate-post' });
    await calls.nth(1).waitFor();
    await calls.first().press('Enter');
    const panel = page.getByRole('dialog', { name: 'POST /validate-post' });
    await panel.getByRole('region', { name: 'Request body' }).getByText('"content": "What the app sent"').waitFor();
    await panel.getByRole('region', { name: 'Response body' }).getByText('"code":').waitFor();
    const reference = panel.getByRole('link', { name: 'in the API reference' });
    expect(await reference.getAttribute('href')).toBe('/docs#tag/posts/POST/validate-post');
    await inspect(page, 'request-bodies');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stop now' }).click();
    await page.getByRole('button', { name: 'Store bodies for one hour' }).waitFor();
  });

  test('the group API is hidden, and its pages are still found', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/settings/appearance');
    const keys = page.getByRole('link', { name: 'Keys', exact: true });
    await keys.waitFor();
    await page.getByRole('switch', { name: 'Show “API”' }).click();
    await keys.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Workspace' }).waitFor();
    expect(await keys.count()).toBe(0);
    await inspect(page, 'appearance');
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search everything').fill('keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });
});
