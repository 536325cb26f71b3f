import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { builtDashboard } from '../../src/startup/dashboard-build.ts';
import { addresses } from './support/addresses.ts';
import { journeys, test } from './support/journey.ts';
import { recordingVisits, secretsOf } from './support/page-secrets.ts';
import { sampleWorkspace } from './support/sample-workspace.ts';

const kinds = [
  'API key',
  'SECRET_KEY',
  'TOTP secret',
  'device token',
  'hash of a recovery code',
  'hash of a session',
  'hash of an API key',
  'password hash',
  'recovery code',
  'session token',
  'token of a network',
  'webhook secret',
];

journeys('a user’s secrets', { timeout: 300_000 }, () => {
  test('are in no page, script, response, address or browser storage', async ({ stage }) => {
    const sample = await sampleWorkspace(stage, `${stage.receiver.url}/hook`);
    const page = await stage.pageOf(sample.user);
    const canaries = await secretsOf(stage, sample.user, page);
    expect(canaries.kinds()).toEqual(kinds);
    const visit = recordingVisits(page, canaries);
    for (const address of Object.values(addresses)) await visit(address(sample).path);
    await visit(new URL(sample.connectionLink).pathname);
    expect(canaries.leaks()).toEqual([]);
  });

  test('are in no dashboard file, including lazy chunks', async ({ stage }) => {
    const { page, user } = await stage.signedIn();
    const canaries = await secretsOf(stage, user, page);
    const folder = await builtDashboard();
    const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(html|js|css|json)$/.test(name));
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) canaries.record({ where: name, text: await readFile(join(folder, name), 'utf8') });
    expect(canaries.leaks()).toEqual([]);
  });

  test('are detected when planted in a response, a page or its storage', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const canaries = await secretsOf(stage, user, page);
    const visit = recordingVisits(page, canaries);
    await visit('/developers/keys');
    expect(canaries.leaks()).toEqual([]);

    await page.route('**/api/v1/auth/api-keys', async (route) => {
      const answer = await route.fetch();
      const { apiKeys } = await answer.json();
      const named = apiKeys.map((apiKey: object) => ({ ...apiKey, name: user.apiKey, debug: user.apiKey }));
      await route.fulfill({ json: { success: true, apiKeys: named } });
    });
    await visit('/developers/keys');
    const key = Buffer.from(user.apiKey).toString('base64');
    await page.evaluate(`localStorage.setItem('remembered', '${key}')`);
    await visit('/settings/appearance');
    const places = canaries.leaks().map((leak) => leak.split(':')[0]);
    expect([...new Set(places)]).toEqual([
      'API key in the answer of /api/v1/auth/api-keys',
      'API key in the page /developers/keys',
      'API key in the page /settings/appearance',
    ]);
  });
});
