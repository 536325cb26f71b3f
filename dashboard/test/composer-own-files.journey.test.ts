import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { aPost } from './support/calendar.ts';
import { aPicture, composer, eventually } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import type { Stage, StageUser } from './support/stage.ts';

const at = '2030-03-04T09:00:00.000Z';
const square = { width: 640, height: 640 };
const networks = ['mastodon', 'instagram'] as const;

const ownFiles = (page: Page) => page.getByRole('region', { name: 'Files for Instagram' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function separate(page: Page, network = 'Instagram') {
  await page.getByRole('button', { name: 'Customise' }).click();
  await page.getByRole('menuitem', { name: `Separate files for ${network}` }).click();
  await page.getByRole('region', { name: `Files for ${network}` }).waitFor();
}

async function addToInstagram(page: Page, ...files: Awaited<ReturnType<typeof aPicture>>[]) {
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Add media for Instagram').click();
  await (await chooser).setFiles(files);
  for (const { name } of files)
    await ownFiles(page)
      .getByRole('button', { name: `Remove ${name}` })
      .waitFor();
}

async function describe(page: Page, place: number, words: string) {
  const field = ownFiles(page).getByLabel('Alt text').nth(place);
  await field.fill(words);
  await field.blur();
}

interface Read {
  status: string;
  media: { mediaId: string; sourceFileName: string; altText: string | null; shared: boolean; url: string }[];
  posts: { platform: string; mediaIds?: string[] }[];
}

/** The shared files, the files of Instagram, and those that no channel gets: alt texts, or names. */
async function stored(user: StageUser, page: Page) {
  const { media, posts }: Read = await composer.read(user, page);
  const nameOf = ({ altText, sourceFileName }: Read['media'][number]) => altText ?? sourceFileName;
  const ids = posts.find(({ platform }) => platform === 'instagram')?.mediaIds;
  const listed = posts.flatMap((target) => target.mediaIds ?? []);
  return {
    shared: media.filter(({ shared }) => shared).map(nameOf),
    own: ids?.map((id) => nameOf(media.find(({ mediaId }) => mediaId === id)!)),
    left: media.filter(({ shared, mediaId }) => !shared && !listed.includes(mediaId)).map(nameOf),
  };
}

/** Whether the first file of Instagram is another one than the first shared file. */
async function isCropped(user: StageUser, page: Page) {
  const { media, posts }: Read = await composer.read(user, page);
  const [first] = posts.find(({ platform }) => platform === 'instagram')?.mediaIds ?? [];
  const own = media.find(({ mediaId }) => mediaId === first);
  return own !== undefined && own.url !== media.find(({ shared }) => shared)?.url;
}

/** The files of the post on a simulated network. */
async function published(stage: Stage, network: string, text: string) {
  type Sent = { text: string; media: { sha256: string; altText?: string }[] }[];
  const posts = await sandboxControl(stage.service.sandbox.url)<Sent>('GET', `/posts?network=${network}`);
  return posts.find((post) => post.text === text)?.media.map(({ altText }) => altText ?? null);
}

journeys('separate files of a channel', { timeout: 90_000 }, () => {
  test('replace the shared ones there only, from the composer to the network and in a copy', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks });
    const refused = composer.refusals(page);
    const text = 'Shared on one, separate on the other';
    await composer.begin(page, ['Mastodon', 'Instagram'], text);
    await composer.addMedia(
      page,
      await aPicture('fire.png', '#c22', square),
      await aPicture('sea.png', '#26c', square),
    );
    await eventually(async () => (await stored(user, page)).shared, ['fire.png', 'sea.png']);
    for (const [place, words] of ['Fire', 'Sea'].entries()) {
      await page.getByLabel('Alt text').nth(place).fill(words);
      await page.getByLabel('Alt text').nth(place).blur();
    }
    await eventually(async () => (await stored(user, page)).shared, ['Fire', 'Sea']);

    await separate(page);
    // While the copies are being attached.
    await ownFiles(page).getByRole('button', { name: 'Crop fire.png' }).click();
    const crop = page.getByRole('dialog', { name: 'Crop' });
    await crop.getByText('4:5').click();
    await crop.getByRole('button', { name: 'Crop' }).click();
    await eventually(() => isCropped(user, page), true);
    await eventually(() => stored(user, page), { shared: ['Fire', 'Sea'], own: ['Fire', 'Sea'], left: [] });
    await ownFiles(page).getByRole('button', { name: 'Remove sea.png' }).click();
    await addToInstagram(page, await aPicture('tower.png', '#282', square));
    await eventually(() => stored(user, page), { shared: ['Fire', 'Sea'], own: ['Fire', 'tower.png'], left: [] });
    await describe(page, 1, 'Tower');
    await describe(page, 0, 'Flames');
    await ownFiles(page).getByRole('button', { name: 'Move tower.png, 2 of 2' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('tower.png moved to 2 of 2.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowLeft');
    await page.getByText('tower.png moved to 1 of 2.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    const wanted = { shared: ['Fire', 'Sea'], own: ['Tower', 'Flames'], left: [] };
    await eventually(() => stored(user, page), wanted);
    await composer.preview(page).getByAltText('Tower').waitFor();
    await inspect(page, 'composer-own-files');
    await page.getByRole('button', { name: /^Preview on Mastodon/ }).click();
    await composer.preview(page).getByAltText('Sea').waitFor();
    expect(await composer.preview(page).getByAltText('Tower').count()).toBe(0);

    await page.reload();
    await ownFiles(page).getByRole('button', { name: 'Move tower.png, 1 of 2' }).waitFor();
    await ownFiles(page).getByRole('button', { name: 'Remove fire-cropped.jpg' }).waitFor();
    await page.getByText('Ready for all selected channels.').waitFor();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    const target = page.getByRole('region', { name: 'Instagram', exact: true });
    await target.getByText('Published', { exact: true }).waitFor();
    await ownFiles(page).getByText('Separate files').waitFor();
    await page.getByRole('heading', { name: 'Shared media' }).waitFor();
    await inspect(page, 'post-own-files');
    await eventually(() => published(stage, 'mastodon', text), ['Fire', 'Sea']);
    await eventually(() => published(stage, 'instagram', text), ['Tower', 'Flames']);

    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    await ownFiles(page).getByRole('button', { name: 'Remove tower.png' }).waitFor();
    expect(await stored(user, page)).toEqual(wanted);
    await button(page, 'Back to shared files').click();
    await ownFiles(page).waitFor({ state: 'detached' });
    await eventually(() => stored(user, page), { shared: ['Fire', 'Sea'], own: undefined, left: [] });
    expect(refused).toEqual([]);
  });

  test('can be without any, and wait for the post and its channels', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks });
    const refused = composer.refusals(page);
    await page.goto('/compose');
    await composer.channel(page, 'Mastodon').click();
    await composer.channel(page, 'Instagram').click();
    await composer.addMedia(page, await aPicture('bread.png', '#c82', square));
    await separate(page, 'Mastodon');
    const own = page.getByRole('region', { name: 'Files for Mastodon' });
    await own.getByRole('button', { name: 'Remove bread.png' }).click();
    await own.getByText('No files.').waitFor();
    await page.waitForURL(/draft=/);
    await composer.saved(page);
    await page.reload();
    await own.getByText('No files.').waitFor();
    await composer.textField(page).fill('Bread, in words only on one');
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    const lists = async () => {
      const { media, posts }: Read = await composer.read(user, page);
      return [media.length, ...posts.map(({ mediaIds }) => mediaIds?.length)];
    };
    await eventually(lists, [1, 0, undefined]);
    await page.getByText('Ready for all selected channels.').waitFor();

    // As its text would, they stay while the channel is deselected.
    const chooser = page.waitForEvent('filechooser');
    await own.getByRole('button', { name: 'Add media for Mastodon' }).click();
    await (await chooser).setFiles([await aPicture('rolls.png', '#a62', square)]);
    await eventually(lists, [2, 1, undefined]);
    await composer.channel(page, 'Mastodon').click();
    await eventually(lists, [2, undefined]);
    await composer.channel(page, 'Mastodon').click();
    await own.getByRole('button', { name: 'Remove rolls.png' }).waitFor();
    await eventually(lists, [2, undefined, 1]);
    expect(refused).toEqual([]);
  });

  test('of a scheduled post change when it is saved, and none is lost or doubled by an interruption', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks });
    const id = await aPost(user, { content: 'Interrupted', scheduledTime: at, platforms: [user.channels[0]!] });
    await page.goto(`/compose/${id}`);
    await composer.addMedia(page, await aPicture('one.png', '#c22', square), await aPicture('two.png', '#26c', square));
    // The scheduled post isn't on Instagram yet.
    await composer.channel(page, 'Instagram').click();
    await separate(page);
    await ownFiles(page).getByRole('button', { name: 'Remove one.png' }).click();
    await addToInstagram(page, await aPicture('three.png', '#282', square));
    await page.getByText('Ready for all selected channels.').waitFor();
    await page.getByText('The scheduled post is unchanged.').waitFor();
    expect(await stored(user, page)).toEqual({ shared: [], own: undefined, left: [] });

    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Your unsaved changes are restored.').waitFor();
    await ownFiles(page).getByRole('button', { name: 'Remove three.png' }).waitFor();

    // The files arrive, the answer is lost, and so is everything after it.
    await page.route(`**/post/${id}/media`, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.route('**/update-post/**', (route) => route.abort());
    await button(page, 'Save changes').click();
    await page.getByText('because its files changed').waitFor();
    expect((await stored(user, page)).left).toEqual(['two.png', 'three.png']);
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    // The page forgets what it had attached.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await ownFiles(page).getByRole('button', { name: 'Remove three.png' }).waitFor();
    await button(page, 'Schedule').click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    expect(await stored(user, page)).toEqual({
      shared: ['one.png', 'two.png'],
      own: ['two.png', 'three.png'],
      left: [],
    });
    expect(await composer.read(user, page)).toMatchObject({ status: 'scheduled', scheduledTime: at });

    // The list is lost on the way, and sent again.
    await page.goto(`/compose/${id}`);
    await ownFiles(page).getByRole('button', { name: 'Remove two.png' }).click();
    await page.route('**/update-post/**', (route) => route.abort());
    await button(page, 'Save changes').click();
    await page.getByText('Changes kept in this browser.').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await button(page, 'Save changes').click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    expect(await stored(user, page)).toEqual({ shared: ['one.png', 'two.png'], own: ['three.png'], left: [] });
    expect((await composer.read(user, page)).status).toBe('scheduled');
  });
});
