import { expect } from 'vitest';
import { channels, makeAccount } from './support/channels.ts';
import { inspect, styleOf } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { anOwner } from './support/workspace.ts';

journeys('the workspace', () => {
  test('has brands whose owners connect their accounts with a link on a phone', async ({ stage }) => {
    const { page, user: owner } = await anOwner(stage);
    await page.getByText('No brands yet').waitFor();
    await inspect(page, 'workspace-empty');
    await page.getByRole('button', { name: 'Add brand' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Bäckerei Sonnenschein');
    await dialog.getByLabel('Email').fill('bakery@example.com');
    await inspect(page, 'workspace-add');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const bakery = page.getByRole('listitem', { name: 'Bäckerei Sonnenschein' });
    await bakery.getByText('No connection link').waitFor();

    await bakery.getByRole('button', { name: 'Connection link' }).click();
    await dialog.getByLabel('Expires after (days)').fill('7');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText(/A new link replaces this one/).waitFor();
    const link = await dialog.getByLabel('Link').inputValue();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await inspect(page, 'workspace-link');
    await page.keyboard.press('Escape');
    await bakery.getByText(/link expires in (7 days|1 week)/).waitFor();

    const phone = await stage.aPage({ width: 390, height: 844 });
    await phone.goto(link);
    await phone.getByRole('heading', { name: 'Connect your accounts', level: 1 }).waitFor();
    expect(await phone.title()).toBe('Connect your accounts · Crier');
    expect(await phone.evaluate(loadedFonts), 'the typeface of the dashboard').toEqual(['Inter Variable']);
    await inspect(phone, 'connect');
    // Steps are text. Only what can be filled in looks like a field.
    const steps = phone.locator('details', { hasText: 'Telegram' }).locator('ol li');
    expect(await steps.count()).toBeGreaterThan(1);
    expect(await styleOf(steps.first(), 'borderTopWidth')).toBe('0px');
    await phone.getByRole('button', { name: 'Connect Threads' }).click();
    await channels.decide(phone, 'Allow', 'sonnenschein');
    await phone.getByRole('status').getByText('Connected: sonnenschein').waitFor();
    expect(phone.url().split('?')[0]).toBe(link);
    await inspect(phone, 'connect-done');
    await phone.reload();
    await phone.getByRole('listitem').filter({ hasText: 'sonnenschein' }).waitFor();

    const { credentials } = await makeAccount(stage, 'telegram', 'bakerynews');
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
    await channels.decide(phone, 'Allow', 'admin-bakery');
    await phone.getByRole('checkbox').first().check();
    await inspect(phone, 'connect-choice');
    await phone.getByRole('button', { name: 'Connect selected accounts' }).click();
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
});

const loadedFonts = `document.fonts.ready.then(() =>
  [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))`;
