import { expect } from 'vitest';
import { setAccess } from '../../src/features/accounts/operator/switches.ts';
import { inspect, styleOf } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { anOwner } from './support/workspace.ts';

journeys('the workspace', () => {
  test('can be set up on every plan in the sandbox', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/workspace');
    await page.getByRole('button', { name: 'Set up workspace' }).click();
    await page.getByText('No brands yet').waitFor();
  });

  test('is explained to users who may not have one', async ({ stage }) => {
    const { page, user } = await stage.signedIn();
    await setAccess(stage.service.app, user.id, { workspace: false });
    await page.goto('/workspace');
    await page.getByText('Your account has no workspace').waitFor();
    const command = await page.getByLabel('Command for the operator').inputValue();
    expect(command).toBe(`npm run admin -- enable-workspace --user ${user.id}`);
    await inspect(page, 'workspace-none');
    // Enabled while it was open.
    await setAccess(stage.service.app, user.id, { workspace: true });
    await page.getByText('No brands yet').waitFor();
  });

  test('shows when a link has expired, creates keys and detaches users', async ({ stage }) => {
    const { page, user: owner } = await anOwner(stage);
    for (const [username, displayName] of [
      ['one@example.com', 'Client one'],
      ['sun@example.com', 'مخبز الشمس'],
    ])
      expect((await owner.call('POST', '/workspace/users', { username, displayName })).status).toBe(201);
    await page.reload();
    await page.getByText('2 brands').waitFor();
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
    await client.getByText('No connection link').waitFor();

    // Each name has its own colour, and some of them lack contrast on their own tint.
    const letters = client.getByText('CO', { exact: true });
    expect(await styleOf(letters, 'color')).toBe(await styleOf(page.locator('body'), 'color'));

    await client.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'New key' }).click();
    await inspect(page, 'workspace-key');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByLabel('API key').inputValue();
    await inspect(page, 'workspace-key-shown');
    const answer = await page.request.get('/api/v1/account-context', { headers: { 'x-service-key': key } });
    expect(answer.status()).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await inspect(page, 'workspace');

    // What was done for the brand, by whom.
    await client.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Audit log' }).click();
    const log = page.getByRole('dialog', { name: 'Audit log of Client one' }).getByRole('list', { name: 'Audit log' });
    await log.getByText('An API key was created').waitFor();
    await log.getByText('A brand was added: Client one').waitFor();
    const names = await stage.service.app.db.selectFrom('users').select('name').where('id', '=', owner.id).execute();
    expect(await log.getByText(`By ${names[0]!.name}`, { exact: true }).count()).toBe(3);
    await inspect(page, 'workspace-audit-log');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    const buttons = await client.getByRole('link', { name: 'Open' }).or(client.getByRole('button')).all();
    const tops = await Promise.all(buttons.map(async (button) => (await button.boundingBox())!.y));
    expect(Math.max(...tops) - Math.min(...tops), 'all in one line').toBeLessThan(5);
    await page.setViewportSize({ width: 1440, height: 900 });

    await client.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Detach' }).click();
    await inspect(page, 'workspace-detach');
    await dialog.getByRole('button', { name: 'Detach' }).click();
    await client.waitFor({ state: 'detached' });
    await page.getByText('1 brand', { exact: true }).waitFor();
    const refused = await stage.service.server.inject({
      url: '/api/v1/account-context',
      headers: { 'x-service-key': key },
    });
    expect(refused.statusCode).toBe(401);
  });

  test('appears in a member’s security settings, where they can leave it', async ({ stage }) => {
    const { user: owner } = await anOwner(stage);
    const { page, user: member } = await stage.signedIn({ plan: 'starter' });
    await page.goto('/settings/security');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Workspace' }).count()).toBe(0);
    const asked = await page.request.post('/api/v1/auth/attach-token', { headers: { origin: stage.url } });
    const attach = { userId: member.id, ...(await asked.json()) };
    expect((await owner.call('POST', '/workspace/users/attach', attach)).status).toBe(200);
    await page.reload();
    await page.getByText(`(${owner.email})`).waitFor();
    await inspect(page, 'settings-workspace');
    await page.getByRole('button', { name: 'Leave workspace' }).click();
    const dialog = page.getByRole('dialog');
    await inspect(page, 'settings-leave');
    await dialog.getByRole('button', { name: 'Leave workspace' }).click();
    await page.waitForURL('**/signin');
    expect((await owner.call('GET', '/workspace/users')).body.users).toEqual([]);
  });
});
