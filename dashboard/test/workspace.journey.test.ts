import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enableWorkspace } from '../../src/accounts/accounts.ts';
import { sandboxControl } from '../../test/support/sandbox-control.ts';
import { inspect } from './support/inspect.ts';
import { chromiumPath, openStage, type Stage } from './support/stage.ts';

describe.skipIf(!chromiumPath)('the workspace', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  async function anOwner() {
    const owner = await stage.signedIn();
    await enableWorkspace(stage.service.app, { user: owner.user.id });
    await owner.page.goto('/workspace');
    return owner;
  }

  test('is explained to those who have none', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/workspace');
    await page.getByText('Your account has no workspace').waitFor();
    await inspect(page, 'workspace-none');
  });

  test('has users, each with a link on which they connect their accounts by themselves, on a phone', async () => {
    const { page, user: owner } = await anOwner();
    await page.getByText('No user yet').waitFor();
    await inspect(page, 'workspace-empty');
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Bäckerei Sonnenschein');
    await dialog.getByLabel('Email').fill('bakery@example.com');
    await inspect(page, 'workspace-add');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const bakery = page.getByRole('listitem', { name: 'Bäckerei Sonnenschein' });
    await bakery.getByText('no connection link').waitFor();

    await bakery.getByRole('button', { name: 'Connection link' }).click();
    await dialog.getByLabel('Days until it expires').fill('7');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText(/It works until/).waitFor();
    const link = await dialog.getByLabel('Link').inputValue();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await inspect(page, 'workspace-link');
    await page.keyboard.press('Escape');
    await bakery.getByText(/link expires in 6 days|link expires in 1 week|link expires next week/).waitFor();

    const phone = await stage.aPage({ width: 390, height: 844 });
    await phone.goto(link);
    await phone.getByRole('heading', { name: 'Connect your accounts', level: 1 }).waitFor();
    expect(await phone.title()).toBe('Connect your accounts · Crier');
    await inspect(phone, 'connect');
    await phone.getByRole('button', { name: 'Connect Threads' }).click();
    await phone.getByLabel('Handle of the new account').fill('sonnenschein');
    await phone.getByRole('button', { name: 'Allow' }).click();
    await phone.getByRole('status').getByText('Connected: sonnenschein').waitFor();
    expect(phone.url().split('?')[0]).toBe(link);
    await inspect(phone, 'connect-done');
    await phone.reload();
    await phone.getByRole('listitem').filter({ hasText: 'sonnenschein' }).waitFor();

    const { credentials } = await sandboxControl(stage.service.sandbox.url)<{
      credentials: Record<string, string>;
    }>('POST', '/accounts', { network: 'telegram', handle: 'bakerynews' });
    await phone.getByText('Telegram', { exact: true }).click();
    await phone.getByLabel('Bot token').fill('no token');
    await phone.getByLabel('Channel').fill('@bakerynews');
    await phone.getByRole('button', { name: 'Connect Telegram' }).click();
    await phone.getByRole('alert').waitFor();
    await inspect(phone, 'connect-problem');
    expect(await phone.getByLabel('Channel').inputValue()).toBe('@bakerynews');
    await phone.getByLabel('Bot token').fill(credentials.botToken!);
    await phone.getByRole('button', { name: 'Connect Telegram' }).click();
    await phone.getByRole('status').getByText('Connected: bakerynews').waitFor();

    await phone.getByRole('button', { name: 'Connect LinkedIn' }).click();
    await phone.getByLabel('A new account').check();
    await phone.getByLabel('Handle of the new account').fill('admin-bakery');
    await phone.getByRole('button', { name: 'Allow' }).click();
    await phone.getByRole('checkbox').first().check();
    await inspect(phone, 'connect-choice');
    await phone.getByRole('button', { name: 'Connect the chosen accounts' }).click();
    await phone.getByRole('status').getByText('Connected:').waitFor();
    await phone.getByRole('button', { name: 'Connect Threads' }).click();
    await phone.getByRole('button', { name: 'Deny' }).click();
    await phone.getByRole('alert').getByText('cancelled on the consent page').waitFor();
    expect(phone.url().split('?')[0]).toBe(link);

    const { body } = await owner.call('GET', '/workspace/users');
    const asUser = { 'x-service-user-id': body.users[0]._id };
    const { connections } = (await owner.call('GET', '/platform-connections', undefined, asUser)).body;
    expect(connections).toHaveLength(3);

    await bakery.getByRole('button', { name: 'Connection link' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).waitFor();
    await phone.reload();
    await phone.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await inspect(phone, 'connect-gone');
  });

  test('says of a link that has expired that it does, and gives keys and detaches users', async () => {
    const { page, user: owner } = await anOwner();
    for (const [username, displayName] of [
      ['one@example.com', 'Client one'],
      ['sun@example.com', 'مخبز الشمس'],
    ])
      expect((await owner.call('POST', '/workspace/users', { username, displayName })).status).toBe(201);
    await page.reload();
    await page.getByText('2 users').waitFor();
    const client = page.getByRole('listitem', { name: 'Client one' });
    const dialog = page.getByRole('dialog');
    await client.getByRole('button', { name: 'Connection link' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByLabel('Link').inputValue();
    await page.keyboard.press('Escape');
    await stage.service.database.pool.query(
      `update connection_links set expires_at = now() where user_id in (select id from users where parent_user_id = $1)`,
      [owner.id],
    );
    const phone = await stage.aPage({ width: 390 });
    await phone.goto(link);
    await phone.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await phone.getByText('It has expired').waitFor();
    await page.reload();
    await client.getByText('no connection link').waitFor();

    await client.getByRole('button', { name: 'New key' }).click();
    await inspect(page, 'workspace-key');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByLabel('API key').inputValue();
    await inspect(page, 'workspace-key-shown');
    const answer = await page.request.get('/api/v1/account-context', { headers: { 'x-service-key': key } });
    expect(answer.status()).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await inspect(page, 'workspace');

    await client.getByRole('button', { name: 'Detach' }).click();
    await inspect(page, 'workspace-detach');
    await dialog.getByRole('button', { name: 'Detach' }).click();
    await client.waitFor({ state: 'detached' });
    await page.getByText('1 user', { exact: true }).waitFor();
    const refused = await stage.service.server.inject({
      url: '/api/v1/account-context',
      headers: { 'x-service-key': key },
    });
    expect(refused.statusCode).toBe(401);
  });
});
