import sharp from 'sharp';
import { expect } from 'vitest';
import { channels } from './support/channels.ts';
import { composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('brands', () => {
  test('are set up, posted for and seen together by the owner of a workspace', async ({ stage }) => {
    const { page, user: owner } = await stage.signedIn({ plan: 'agency', networks: ['mastodon'] });
    const choose = async (name: string) => {
      await page.getByRole('combobox', { name: 'Brand' }).click();
      await page.getByRole('option', { name, exact: true }).click();
    };
    await page.goto('/workspace');
    await page.getByRole('button', { name: 'Set up workspace' }).click();
    await page.getByText('No brands yet').waitFor();
    for (const [username, displayName] of [
      [`bakery-${owner.id}@example.com`, 'Bakery'],
      [`garage-${owner.id}@example.com`, 'Garage'],
    ])
      expect((await owner.call('POST', '/workspace/users', { username, displayName })).status).toBe(201);
    await page.reload();
    const bakery = page.getByRole('listitem', { name: 'Bakery' });
    await bakery.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('The bakery');
    await page.getByRole('radio', { name: 'pink' }).click();
    await inspect(page, 'brand-edit');
    await page.getByRole('button', { name: 'Save', exact: true }).click();

    // Its channels, connected in the session of the owner.
    await page.getByRole('listitem', { name: 'The bakery' }).getByRole('link', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('brand')).toMatch(/^[0-9a-f]{24}$/);
    await page.getByRole('link', { name: 'Channels' }).first().click();
    await page.getByText('No channels yet').waitFor();
    await channels.choose(page, 'Threads');
    await channels.decide(page, 'Allow', 'thebakery');
    await channels.healthy(page, /thebakery/);
    expect(new URL(page.url()).searchParams.get('brand')).toMatch(/^[0-9a-f]{24}$/);
    expect((await owner.call('GET', '/platform-connections')).body.connections).toHaveLength(1);

    // A post of the brand.
    await page.getByRole('link', { name: 'New post' }).first().click();
    await composer.channel(page, 'Threads').click();
    await composer.textField(page).fill('Fresh rolls from six');
    await page.getByLabel('Date').fill('tomorrow 9');
    await page.getByLabel('Date').press('Tab');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText(/Scheduled for .* · The bakery/).waitFor();

    // A text that is left for another brand stays with its own.
    await page.getByRole('link', { name: 'New post' }).first().click();
    await composer.textField(page).fill('Half a thought');
    await choose('Garage');
    const notice = page.getByRole('alert').filter({ hasText: 'Saved as a draft of The bakery.' });
    await notice.waitFor();
    await composer.textField(page).waitFor({ state: 'detached' });
    await notice.getByRole('button', { name: 'Open' }).click();
    await expect.poll(() => composer.textField(page).inputValue()).toBe('Half a thought');

    // Detaching the brand wouldn't stop it.
    await page.goto('/workspace');
    await page.getByRole('listitem', { name: 'The bakery' }).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Detach' }).click();
    await page.getByText('A scheduled post stays scheduled, and you won’t be able to stop it.').waitFor();
    await inspect(page, 'brand-detach-scheduled');
    await page.getByRole('link', { name: 'View it' }).click();
    await page.getByRole('row', { name: /Fresh rolls/ }).waitFor();

    // All brands together.
    await choose('All brands');
    await page.goto('/posts?brand=all');
    const row = page.getByRole('row', { name: /Fresh rolls/ });
    await row.getByText('The bakery').waitFor();
    await inspect(page, 'brands-posts');
    await page.goto('/calendar?brand=all&view=list');
    await page.getByRole('link', { name: /Fresh rolls.*The bakery/ }).waitFor();
    await inspect(page, 'brands-calendar');
    await page.goto('/channels?brand=all');
    await page
      .getByRole('listitem', { name: /thebakery/ })
      .getByText('The bakery')
      .waitFor();
    await inspect(page, 'brands-channels');
    await page.goto('/compose?brand=all');
    await page.getByText('Which brand do you want to post for?').waitFor();
    await inspect(page, 'brands-choose');

    // From the list into the post, which is shown as the brand's.
    await page.goto('/posts?brand=all');
    await page.getByRole('link', { name: 'Fresh rolls from six' }).click();
    const panel = page.getByRole('dialog', { name: 'Fresh rolls from six' });
    await panel.getByText('The bakery', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}\?brand=[0-9a-f]{24}/);
    await expect.poll(() => composer.textField(page).inputValue()).toBe('Fresh rolls from six');
    await composer.textField(page).fill('A copy');
    await composer.saved(page);
    await page.goto('/posts?brand=all');
    await page.getByRole('link', { name: 'A copy' }).waitFor();
    await page.getByRole('link', { name: 'Fresh rolls from six' }).click();
    await page.getByRole('link', { name: 'Open full page' }).click();
    await page.getByRole('heading', { name: 'Fresh rolls from six', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('brand')).toMatch(/^[0-9a-f]{24}$/);
    await page.goBack();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted 1 post.').waitFor();

    // The deletion, sent when another brand is shown, is that of the brand.
    const deleted = page.waitForResponse((response) => response.url().endsWith('/delete-posts'));
    await choose('Garage');
    expect(await (await deleted).json()).toMatchObject({ succeeded: 1 });

    // The person's own account.
    await page.getByText('No posts yet').waitFor();
    expect(new URL(page.url()).pathname).toBe('/posts');
    await page.goto('/channels');
    await page.getByRole('listitem').filter({ hasText: 'Mastodon' }).waitFor();
  });

  test('are added from the switcher, even before there is a workspace', async ({ stage }) => {
    const { page } = await stage.signedIn({ plan: 'agency' });
    const refused: string[] = [];
    page.on('response', (response) => void (response.status() >= 400 && refused.push(response.url())));
    await page.goto('/channels');
    await page.getByRole('combobox', { name: 'Brand' }).click();
    await page.getByRole('option', { name: 'Add brand' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add brand' });
    await dialog.getByLabel('Name').fill('Orchard');
    await inspect(page, 'brand-add');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    // Its channels come next.
    await page.waitForURL(/\/channels\?brand=[0-9a-f]{24}$/);
    await page.getByRole('button', { name: 'Add channel' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Brand' }).inputValue()).toBe('Orchard');
    expect(refused).toEqual([]);
    // It needs no address, and none is shown.
    await page.goto('/workspace');
    const orchard = page.getByRole('listitem', { name: 'Orchard' });
    await orchard.waitFor();
    expect(await orchard.getByText('@').count()).toBe(0);
    await orchard.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Detach' }).click();
    await page.getByRole('dialog').getByText('only the operator can give someone access').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    // A picture, cut to its centre and small.
    const edit = orchard.getByRole('button', { name: 'Edit' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#1c7c3c' } })
      .jpeg()
      .toBuffer();
    const choose = async (name: string, mimeType: string, buffer: Buffer) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: /^(Choose|Change) picture$/ }).click(),
      ]);
      await chooser.setFiles({ name, mimeType, buffer });
    };
    await edit.click();
    await choose('broken.jpg', 'image/jpeg', Buffer.from('not a picture'));
    await page.getByText('This file can’t be read as a picture.').waitFor();
    await choose('logo.jpg', 'image/jpeg', picture);
    await page.getByText('This file can’t be read as a picture.').waitFor({ state: 'detached' });
    await inspect(page, 'brand-picture');
    await save.click();
    const shown = orchard.locator('img[src^="/api/v1/workspace/users/"]');
    await shown.waitFor();
    const { status, type } = await shown.evaluate(async (image) => {
      const response = await fetch((image as unknown as { src: string }).src);
      return { status: response.status, type: response.headers.get('content-type') };
    });
    expect([status, type]).toEqual([200, 'image/webp']);
    await orchard.getByRole('link', { name: 'Open' }).click();
    await page.getByRole('banner').locator('img[src^="/api/v1/workspace/users/"]').waitFor();
    await page.goto('/workspace');
    await edit.click();
    await page.getByRole('button', { name: 'Remove picture' }).click();
    await save.click();
    await shown.waitFor({ state: 'detached' });
  });
});
