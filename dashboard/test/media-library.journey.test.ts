import { expect } from 'vitest';
import { aPicture, composer, eventually } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { aHeicPhoto } from './support/phone-files.ts';

/** A browser type missing in Node. */
interface Shown {
  naturalWidth: number;
}

journeys('the media library', { timeout: 90_000 }, () => {
  test('stores files without a post, and explains what it can’t read', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/media');
    await page.getByRole('heading', { name: 'No files yet' }).waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload' }).click();
    await (await choosing).setFiles([
      await aPicture('logo.png', '#26c'),
      await aPicture('menu.png', '#c62'),
      aHeicPhoto,
    ]);
    const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
    await expect.poll(() => files.count(), { timeout: 20_000 }).toBe(2);
    const uploads = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
    await expect.poll(() => uploads.count(), { timeout: 20_000 }).toBe(1);
    await page.getByText('IMG_1.HEIC is a HEIC photo').waitFor();
    expect(await page.getByRole('button', { name: 'Try again: IMG_1.HEIC' }).count()).toBe(0);
    await inspect(page, 'media-uploads');
    await page.getByRole('button', { name: 'Remove IMG_1.HEIC' }).click();
    expect((await user.call('GET', '/list-posts')).body.posts).toEqual([]);

    await page.getByRole('button', { name: 'Actions for menu.png' }).click();
    await page.getByRole('menuitem', { name: 'Rename and label' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename and label' });
    await dialog.getByLabel('File name').fill('spring menu.png');
    await dialog.getByLabel('Labels').fill('Menus');
    await dialog.getByLabel('Labels').press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await files.getByText('spring_menu.png').waitFor();

    await page.getByLabel('Search media').fill('menus');
    await expect.poll(() => files.count()).toBe(1);
    await expect.poll(() => new URL(page.url()).search).toBe('?q=menus');
    await page.getByLabel('Search media').fill('nothing like it');
    await page.getByRole('heading', { name: 'No files found' }).waitFor();
    await page.getByRole('button', { name: 'Show all files' }).click();
    await files.getByRole('button', { name: 'Menus' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?label=Menus');
    await expect.poll(() => files.count()).toBe(1);

    // A post begins with the file.
    await page.getByRole('button', { name: 'Actions for spring_menu.png' }).click();
    await page.getByRole('menuitem', { name: 'New post' }).click();
    await page.getByRole('button', { name: 'Remove spring_menu.png' }).waitFor();
    await composer.channel(page, 'Mastodon').click();
    await composer.textField(page).fill('The menu of this spring');
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    await expect.poll(async () => (await composer.read(user, page)).media.length).toBe(1);
  });

  test('shows a picture once it is uploaded, though another one was first', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    const missing: string[] = [];
    page.on('response', (response) => void (response.status() === 404 && missing.push(response.url())));
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let uploads = 0;
    await page.route('**/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      uploads += 1;
      if (uploads === 1) await isReleased;
      await route.continue();
    });
    await page.goto('/media');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload' }).click();
    await (await choosing).setFiles([await aPicture('oven.png', '#c82'), await aPicture('flour.png', '#eee')]);
    const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
    const waiting = files.filter({ hasText: 'Processing' });
    await expect.poll(() => waiting.count(), { timeout: 20_000 }).toBe(1);
    await expect.poll(() => files.locator('img').count()).toBe(1);
    release();
    const pictures = () => files.locator('img').evaluateAll((all) => all.map((img) => (img as Shown).naturalWidth > 0));
    await expect.poll(pictures, { timeout: 20_000 }).toEqual([true, true]);
    expect(missing).toEqual([]);
  });

  test('takes photos on a phone', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon'], width: 390, height: 844 });
    await page.goto('/media');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload' }).click();
    const chooser = await choosing;
    expect(await chooser.element().getAttribute('accept')).toMatch(/image\/\*,\.heic.*video\/\*/);
    expect(chooser.isMultiple()).toBe(true);
    await chooser.setFiles([await aPicture('bread.png', '#c82'), aHeicPhoto]);
    await page.getByText('IMG_1.HEIC is a HEIC photo').waitFor();
    const file = page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: 'bread.png' });
    await file.waitFor();
    await file.scrollIntoViewIfNeeded();
    const { x, width } = (await file.boundingBox())!;
    expect([x >= 0, x + width <= 390]).toEqual([true, true]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Remove IMG_1.HEIC' }).click();
    await page.getByText('IMG_1.HEIC').waitFor({ state: 'detached' });
  });

  test('is shared by posts: one upload, and deleting it from one leaves it in the other', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/media');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload' }).click();
    await (await choosing).setFiles([await aPicture('logo.png', '#26c'), await aPicture('menu.png', '#c62')]);
    await page.getByRole('list', { name: 'Uploads' }).waitFor();
    const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
    await page.getByRole('list', { name: 'Uploads' }).waitFor({ state: 'detached' });
    await expect.poll(() => files.count()).toBe(2);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().includes('/media/upload/')) sent.push(request.url());
    });

    const posts: string[] = [];
    for (const text of ['First', 'Second']) {
      await composer.begin(page, ['Mastodon'], text);
      await page.getByRole('button', { name: 'Choose from library' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose from library' });
      await dialog.getByRole('checkbox', { name: 'menu.png' }).click();
      await dialog.getByLabel('Search media').fill('logo');
      await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(1);
      await dialog.getByRole('checkbox', { name: 'logo.png' }).click();
      await inspect(page, 'composer-library');
      await dialog.getByRole('button', { name: 'Add 2 files' }).click();
      await page.getByRole('button', { name: 'Remove logo.png' }).waitFor();
      posts.push(composer.postIn(page));
    }
    const namesIn = async (postGroupId: string) =>
      (await user.call('GET', `/get-post/${postGroupId}`)).body.media.map(
        (file: { sourceFileName: string }) => file.sourceFileName,
      );
    const both = ['menu.png', 'logo.png'];
    await eventually(() => namesIn(posts[1]!), both);
    await page.getByRole('button', { name: 'Remove menu.png' }).click();
    await eventually(() => namesIn(posts[1]!), ['logo.png']);
    expect(await namesIn(posts[0]!)).toEqual(both);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => namesIn(posts[1]!), both);
    expect(sent).toEqual([]);

    await page.goto('/media');
    const card = files.filter({ hasText: 'logo.png' });
    await card.getByRole('button', { name: 'Used in 2 posts' }).click();
    await page.getByRole('link', { name: 'First' }).waitFor();
    await inspect(page, 'media-used');
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Actions for logo.png' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete logo.png?' });
    await dialog.getByText('2 posts use this file and keep it').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => files.count()).toBe(1);
    expect(await namesIn(posts[0]!)).toEqual(both);
  });
});
