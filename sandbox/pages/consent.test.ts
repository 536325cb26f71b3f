import { describe, expect, test } from 'vitest';
import { oauthApp } from '../oauth/oauth-app.ts';
import { startTestSandbox } from '../testing.ts';

const address = `/www.linkedin.com/oauth/v2/authorization?${new URLSearchParams({
  client_id: oauthApp.clientId,
  redirect_uri: 'http://127.0.0.1/back',
  response_type: 'code',
  scope: 'openid profile w_member_social',
  state: 'kept',
})}`;

describe('the consent page', () => {
  test('suggests a new account with an unused handle, also where accounts exist', async () => {
    const sandbox = await startTestSandbox();
    await sandbox.account('somebody', 'linkedin');
    const page = await (await sandbox.at(address)).text();
    expect(page).toMatch(/value="new" checked>A new account/);
    expect(page.match(/ checked/g)).toHaveLength(1);
    expect(page).toContain('@somebody');
    expect(page).toContain('This is a generated name');
    const { status, headers } = await allow(sandbox, { account: 'new', handle: suggestedIn(page) });
    expect([status, headers.get('location')]).toEqual([302, expect.stringContaining('code=')]);
    expect(await handles(sandbox)).toEqual(['somebody', suggestedIn(page)]);
    expect(suggestedIn(await (await sandbox.at(address)).text())).not.toBe(suggestedIn(page));
  });

  test('connects the handle that was typed', async () => {
    const sandbox = await startTestSandbox();
    await allow(sandbox, { account: 'new', handle: 'tombakes' });
    expect(await handles(sandbox)).toEqual(['tombakes']);
  });

  test('says which handles are allowed, and leads back to the choice', async () => {
    const sandbox = await startTestSandbox();
    const refused = await allow(sandbox, { account: 'new', handle: 'tom & bakes' });
    const page = await refused.text();
    expect(refused.status).toBe(422);
    expect(page).toContain('Nothing was connected');
    expect(page).toContain('<a href="">Choose another user name</a>');
    expect(await handles(sandbox)).toEqual([]);
  });
});

type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

const allow = (sandbox: TestSandbox, fields: Record<string, string>) =>
  sandbox.at(address, { method: 'POST', body: new URLSearchParams({ decision: 'allow', ...fields }) });

const suggestedIn = (page: string) => /name="handle" value="([a-z0-9]{5,15})"/.exec(page)?.[1] ?? '';

const handles = async (sandbox: TestSandbox): Promise<string[]> =>
  (await (await sandbox.at('/_control/accounts?network=linkedin')).json()).map(
    ({ handle }: { handle: string }) => handle,
  );
