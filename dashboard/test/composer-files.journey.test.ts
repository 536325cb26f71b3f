import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { aPost } from './support/calendar.ts';
import { aPicture, composer, eventually } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { aHeicPhoto, anHevcVideo } from './support/phone-files.ts';
import type { StageUser } from './support/stage.ts';

const at = '2030-03-04T09:00:00.000Z';

/** Names and alt texts as stored. */
const stored = async (user: StageUser, page: Page) => {
  const { status, media } = await composer.read(user, page);
  return [status, ...media.map(({ sourceFileName, altText }: Stored) => altText ?? sourceFileName)];
};

interface Stored {
  sourceFileName: string;
  altText: string | null;
}

async function choose(page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add media' }).click();
  await (await chooser).setFiles(files);
}

/** The files that the page sends. */
function sentIn(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/media/upload/')) sent.push(request.url());
  });
  return sent;
}

journeys('files in the composer', { timeout: 90_000 }, () => {
  test('of a scheduled post change when it is saved, not before, and can be discarded', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const id = await aPost(user, { content: 'With files', status: 'draft', scheduledTime: at });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto(`/compose/${id}`);
    await composer.addMedia(page, await aPicture('fire.png', '#c22'), await aPicture('sea.png', '#26c'));
    await eventually(() => stored(user, page), ['draft', 'fire.png', 'sea.png']);
    await button('Schedule').click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);

    await page.goto(`/compose/${id}`);
    await button('Remove fire.png').click();
    await composer.addMedia(page, await aPicture('new.png', '#282'));
    await page.getByRole('button', { name: 'Move new.png, 2 of 2' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('new.png moved to 2 of 2.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowLeft');
    await page.getByText('new.png moved to 1 of 2.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Move new.png, 1 of 2' }).waitFor();
    await page.getByLabel('Alt text').first().fill('New');
    await page.getByLabel('Alt text').first().blur();
    await page.getByText('The scheduled post is unchanged.').waitFor();
    await inspect(page, 'composer-scheduled-files');
    expect(await stored(user, page)).toEqual(['scheduled', 'fire.png', 'sea.png']);

    await button('Discard changes').click();
    await button('Remove fire.png').waitFor();
    expect(await button('Remove new.png').count()).toBe(0);
    const notice = page.getByRole('alert').filter({ hasText: 'Changes discarded.' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await button('Remove new.png').waitFor();

    // They survive a reload, too.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Your unsaved changes are restored.').waitFor();
    await button('Remove new.png').waitFor();
    expect(await button('Remove fire.png').count()).toBe(0);
    await button('Save changes').click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await page.getByText('Changes saved. Scheduled for').waitFor();
    expect(await stored(user, page)).toEqual(['scheduled', 'New', 'sea.png']);
    expect((await composer.read(user, page)).scheduledTime).toBe(at);
    expect(await page.getByText('This post is a draft again').count()).toBe(0);
  });

  test('of a scheduled post leave a visible draft if saving is interrupted, and can be saved again', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const id = await aPost(user, { content: 'Interrupted', scheduledTime: at });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto(`/compose/${id}`);
    await composer.addMedia(page, await aPicture('one.png', '#c22'), await aPicture('two.png', '#26c'));
    // The files arrive, the answer is lost, and so is everything after it.
    await page.route(`**/post/${id}/media`, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.route('**/update-post/**', (route) => route.abort());
    await button('Save changes').click();
    await page.getByText('because its files changed').waitFor();
    await button('Save draft').waitFor();
    expect((await stored(user, page))[0]).toBe('draft');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await button('Schedule').click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    expect(await stored(user, page)).toEqual(['scheduled', 'one.png', 'two.png']);
    expect((await composer.read(user, page)).scheduledTime).toBe(at);
  });

  test('come before channels and text, from the device or the library', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'instagram'] });
    await page.goto('/compose');
    await composer.addMedia(page, await aPicture('bread.png', '#c82', { width: 640, height: 640 }));
    await page.waitForURL(/draft=/);
    await page.reload();
    await page.getByRole('button', { name: 'Remove bread.png' }).waitFor();

    await page.getByRole('button', { name: 'Choose from library' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose from library' });
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await (await chooser).setFiles([await aPicture('rolls.png', '#a62', { width: 640, height: 640 })]);
    await dialog.getByRole('checkbox', { name: 'rolls.png', checked: true }).waitFor();
    await inspect(page, 'composer-library-upload');
    await dialog.getByRole('button', { name: 'Add 1 file' }).click();
    await page.getByRole('button', { name: 'Remove rolls.png' }).waitFor();

    await composer.channel(page, 'Instagram').click();
    await composer.textField(page).fill('Fresh from the oven');
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    await eventually(() => stored(user, page), ['draft', 'bread.png', 'rolls.png']);
    await page.getByText('Ready for all selected channels.').waitFor();
    await page.getByRole('button', { name: 'Remove rolls.png' }).click();
    await eventually(() => stored(user, page), ['draft', 'bread.png']);
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
  });

  test('of a draft change between saves, none of which is rejected', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const rejected: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) rejected.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    await composer.begin(page, ['Mastodon'], 'Bread');
    const write = async (text: string) => {
      await composer.textField(page).fill(text);
      await eventually(async () => (await composer.read(user, page)).posts[0].content, text);
    };
    await composer.addMedia(page, await aPicture('bread.png', '#c82', { width: 640, height: 640 }));
    await write('Bread, uploaded');
    await page.getByLabel('Alt text').fill('A loaf');
    await page.getByLabel('Alt text').blur();
    await write('Bread, described');
    await page.getByRole('button', { name: 'Crop bread.png' }).click();
    await page.getByRole('dialog', { name: 'Crop' }).getByText('4:5').click();
    await page.getByRole('dialog', { name: 'Crop' }).getByRole('button', { name: 'Crop' }).click();
    await page.getByRole('button', { name: 'Remove bread-cropped.jpg' }).waitFor();
    await write('Bread, cropped');
    await page.getByRole('button', { name: 'Choose from library' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose from library' });
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByRole('button', { name: 'Add 1 file' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Remove bread/ }).count()).toBe(2);
    await write('Bread, from the library');
    expect(rejected).toEqual([]);
  });

  test('from an iPhone are explained before anything is uploaded', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['twitter', 'instagram'] });
    const sent = sentIn(page);
    await page.goto('/compose');
    await composer.channel(page, 'X').click();
    await composer.channel(page, 'Instagram').click();
    await choose(page, aHeicPhoto, anHevcVideo);
    await page.getByText('IMG_1.HEIC is a HEIC photo').waitFor();
    expect(await page.getByRole('button', { name: 'Try again: IMG_1.HEIC' }).count()).toBe(0);
    const uploads = page.getByRole('list', { name: 'Uploads' });
    const advice = uploads.getByRole('alert').filter({ hasText: 'An HEVC video, which X can’t publish.' });
    await advice.waitFor();
    const anyway = page.getByRole('button', { name: 'Upload anyway: IMG_2.MOV' });
    expect(await anyway.count()).toBe(0);
    await inspect(page, 'composer-hevc');
    await composer.channel(page, 'X').click();
    await page.getByText('Instagram can publish it, but this browser can’t show it').waitFor();
    expect(sent).toEqual([]);
    await anyway.click();
    await expect.poll(() => sent.length).toBe(1);
    await page.getByRole('button', { name: 'Remove IMG_1.HEIC' }).click();
  });
});
