import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { Crier } from '../../client/src/index.ts';
import { aVideo } from '../../test/support/files/media.ts';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { aPost } from './support/calendar.ts';
import { aPicture, composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import type { StageUser } from './support/stage.ts';

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

journeys('posts', () => {
  const read = async (user: StageUser, id: string) => (await user.call('GET', `/get-post/${id}`)).body;
  const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

  test('are searched, filtered, moved and deleted in bulk', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const [mastodon, bluesky] = user.channels;
    const breakfast = await aPost(user, { content: 'Breakfast is served', scheduledTime: inDays(2) });
    const lunch = await aPost(user, { content: 'Lunch is late', platforms: [mastodon], scheduledTime: inDays(3) });
    const draft = await aPost(user, { content: 'An idea for dinner', platforms: [bluesky], status: 'draft' });
    await page.goto('/posts');
    await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
    expect(await page.title()).toBe('Posts · Crier');
    await row(page, 'Breakfast').getByText('Scheduled').waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    await inspect(page, 'posts');

    await page.getByRole('tab', { name: 'Drafts' }).click();
    await row(page, 'An idea for dinner').waitFor();
    await row(page, 'Breakfast').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?status=draft');

    await page.getByRole('tab', { name: 'All' }).click();
    await page.getByLabel('Search posts').fill('lunch');
    await row(page, 'Breakfast').waitFor({ state: 'detached' });
    await row(page, 'Lunch is late').waitFor();
    expect(new URL(page.url()).search).toBe('?q=lunch');
    await page.getByLabel('Search posts').fill('');
    await row(page, 'Breakfast').waitFor();

    await page.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: /Bluesky/ }).click();
    await row(page, 'Lunch').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('channel')).toBe(bluesky);
    await page.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: 'All channels' }).click();
    await row(page, 'Lunch').waitFor();

    // Moving by days keeps the time of day, and Undo reverts it.
    const before = (await read(user, breakfast)).scheduledTime;
    await page.getByRole('checkbox', { name: 'Select Breakfast is served' }).check();
    await page.getByRole('checkbox', { name: 'Select An idea for dinner' }).check();
    const bar = page.getByRole('region', { name: 'Selected posts' });
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Reschedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 post can’t be moved: no time set or already sent.').waitFor();
    await dialog.getByLabel('Move by').fill('7');
    await dialog.getByRole('button', { name: 'Move 1 post' }).click();
    await page.getByText('Moved 1 post.').waitFor();
    const after = (await read(user, breakfast)).scheduledTime;
    expect(Math.round((Date.parse(after) - Date.parse(before)) / day)).toBe(7);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await read(user, breakfast)).scheduledTime).toBe(before);

    // Deleted posts leave the list, and are gone once the page is left.
    await page.getByRole('checkbox', { name: 'Select Lunch is late' }).check();
    await page.getByRole('checkbox', { name: 'Select An idea for dinner' }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await row(page, 'Lunch').waitFor({ state: 'detached' });
    await page.getByText('Deleted 2 posts.').waitFor();
    await page.reload();
    await expect.poll(async () => (await user.call('GET', `/get-post/${lunch}`)).status).toBe(404);
    expect((await user.call('GET', `/get-post/${draft}`)).status).toBe(404);
    await row(page, 'Breakfast').waitFor();
  });

  test('are selected as a range with Shift, and counted right although they leave the list first', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    for (const content of ['One', 'Two', 'Three', 'Four']) await aPost(user, { content, status: 'draft' });
    await page.goto('/posts');
    await page.getByRole('checkbox', { name: 'Select Three' }).check();
    await page.getByRole('checkbox', { name: 'Select One' }).click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected posts' });
    await bar.getByText('3 selected').waitFor();
    // At the bottom of the window, also below a short list.
    const { y, height } = (await bar.boundingBox())!;
    expect(Math.round(y + height)).toBe(900 - 16);

    await bar.getByRole('button', { name: 'Delete' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByText('Deleted 3 posts.').waitFor();
    await row(page, 'Four').waitFor();
  });

  test('go back to the tab before', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await page.getByRole('link', { name: 'Posts' }).click();
    await page.getByRole('tab', { name: 'Drafts' }).click();
    await page.getByRole('tab', { name: 'Failed' }).click();
    await page.getByRole('heading', { name: 'No failed posts' }).waitFor();
    await page.getByLabel('Search posts').pressSequentially('bread', { delay: 300 });
    await page.getByRole('heading', { name: 'No matching posts' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'No drafts' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'No posts yet' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
  });

  test('have empty states', async ({ stage }) => {
    const { page } = await stage.signedIn({ colorScheme: 'dark', width: 360 });
    await page.goto('/posts');
    await page.getByRole('heading', { name: 'No posts yet' }).waitFor();
    await page.getByRole('link', { name: 'Write a post' }).waitFor();
    const { x, width } = (await page.getByRole('tab', { name: 'Failed' }).boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(360);
    await page.getByRole('tab', { name: 'Failed' }).click();
    await page.getByRole('heading', { name: 'No failed posts' }).waitFor();
    await inspect(page, 'posts-empty');
  });

  test('show targets, thread, comments and history', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'threads'] });
    const content = 'Three parts [1/3]\nof a story [2/3]\nand its end [3/3]';
    const id = await aPost(user, {
      content,
      publishNow: true,
      firstComments: [{ text: 'More on our site', platforms: ['mastodon'] }],
    });
    await page.goto(`/posts/${id}`);
    await page.getByRole('heading', { level: 1, name: /^Three parts/ }).waitFor();
    expect(await page.title()).toMatch(/^Three parts .* · Crier$/);
    const mastodon = page.getByRole('region', { name: 'Mastodon' });
    await mastodon.getByText('Published', { exact: true }).first().waitFor();
    await mastodon.getByRole('link', { name: 'Open on Mastodon' }).waitFor();
    await page.getByRole('region', { name: 'Threads' }).getByText('1/3', { exact: true }).waitFor();
    await mastodon.getByText('More on our site').waitFor();
    await mastodon.getByText(/^Posted /).waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Published on Mastodon').waitFor();
    await history.getByText('Comment 1 posted on Mastodon').waitFor();
    await inspect(page, 'post-published');

    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    const copy = await read(user, page.url().slice(-24));
    expect(copy).toMatchObject({ status: 'draft', platforms: user.channels });
    expect(copy.firstComments).toMatchObject([{ text: 'More on our site' }]);
  });

  test('are duplicated with images, alt texts and custom texts', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'twitter'] });
    const [, twitter] = user.channels;
    const content = { content: 'The long story', platformContent: { [twitter!]: 'The short story' } };
    const id = await aPost(user, { ...content, status: 'draft' });
    const { name, mimeType, buffer } = await aPicture('sea.png', '#26c');
    const crier = new Crier({ baseUrl: stage.url, apiKey: user.apiKey });
    const file = new Blob([new Uint8Array(buffer)], { type: mimeType });
    await crier.uploadMedia(file, { postGroupId: id, fileName: name, altText: 'The sea' });
    await page.goto(`/posts/${id}`);
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/compose/'));
    await page.getByRole('button', { name: 'Remove sea.png' }).waitFor();
    expect(await read(user, composer.postIn(page))).toMatchObject({
      posts: [{ content: 'The long story' }, { content: 'The short story' }],
      media: [{ sourceFileName: 'sea.png', altText: 'The sea' }],
    });
  });

  test('are duplicated with a separate cover', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['instagram', 'youtube'] });
    const id = await aPost(user, { content: 'Four seconds', status: 'draft' });
    const crier = new Crier({ baseUrl: stage.url, apiKey: user.apiKey });
    const video = new Blob([new Uint8Array(aVideo().bytes)], { type: 'video/mp4' });
    await crier.uploadMedia(video, { postGroupId: id, fileName: 'clip.mp4' });
    const { buffer } = await aPicture('cover.png', '#c22', { width: 1280, height: 720 });
    const cover = new File([new Uint8Array(buffer)], 'cover.png', { type: 'image/png' });
    const { thumbnail } = await crier.uploadYoutubeThumbnail({ thumbnail: cover, postGroupId: id });
    const { mediaId, url } = thumbnail;
    const coverUrl = (await crier.uploadInstagramCover({ cover, postGroupId: id })).cover.url;
    const platformSettings = { instagram: { coverUrl }, youtube: { thumbnail: { mediaId, url } } };
    await crier.updatePost({ postGroupId: id, platformSettings });
    await page.goto(`/posts/${id}`);
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/compose/'));
    const { instagram, youtube } = (await read(user, composer.postIn(page))).platformSettings;
    expect(instagram.coverUrl).toMatch(/\/media\//);
    expect(instagram.coverUrl).not.toBe(coverUrl);
    expect(youtube.thumbnail.mediaId).toMatch(/^[0-9a-f]{24}$/);
    expect(youtube.thumbnail.mediaId).not.toBe(mediaId);
  });

  test('that don’t exist show a not found page', async ({ stage }) => {
    const { page } = await stage.signedIn();
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/get-post/') && asked.push(request.url()));
    for (const path of [`/posts/${'0'.repeat(24)}`, '/posts/not-an-id', '/compose/not-an-id']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    }
    // Malformed IDs aren't requested, and nothing is requested twice.
    expect(asked).toHaveLength(1);
  });

  test('with an unknown outcome show it and offer no retry', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['telegram'], colorScheme: 'dark' });
    const control = sandboxControl(stage.service.sandbox.url);
    await control('POST', '/faults', { network: 'telegram', operation: 'publish', kind: 'reset_after', times: 1 });
    const id = await aPost(user, { content: 'Did it arrive?', publishNow: true });
    await page.goto(`/posts/${id}`);
    await page.getByText('Crier doesn’t know whether this was published').waitFor();
    await page.getByText(/Check the account on Telegram/).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await inspect(page, 'post-unknown');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/posts$/);
    await page.reload();
    await expect.poll(async () => (await user.call('GET', `/get-post/${id}`)).status).toBe(404);
  });

  test('are found, opened, rescheduled and deleted by keyboard alone', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const id = await aPost(user, { content: 'Only keys', scheduledTime: inDays(3) });
    await aPost(user, { content: 'Another one', scheduledTime: inDays(4) });
    const before = (await read(user, id)).scheduledTime;
    await page.goto('/posts');
    await row(page, 'Only keys').waitFor();
    await tabTo(page, 'tab', 'All');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/status=scheduled/);
    await tabTo(page, 'searchbox', 'Search posts');
    await page.keyboard.type('only');
    await row(page, 'Another one').waitFor({ state: 'detached' });
    await tabTo(page, 'checkbox', 'Select Only keys');
    await page.keyboard.press('Space');
    await tabTo(page, 'button', 'Reschedule');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    // Focus selects the date, so typing replaces it.
    await tabTo(page, 'textbox', 'Date');
    await page.keyboard.type('in 5 days');
    await tabTo(page, 'button', 'Move 1 post');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => Math.round((Date.parse((await read(user, id)).scheduledTime) - Date.parse(before)) / day))
      .toBe(2);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'link', 'Only keys');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Only keys' }).waitFor();
    // Its "Undo" comes before that of the deletion.
    await page.getByText('Moved 1 post.').waitFor({ state: 'detached' });
    await tabTo(page, 'button', 'Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'button', 'Undo');
    await page.keyboard.press('Enter');
    await row(page, 'Only keys').waitFor();
    expect((await read(user, id)).status).toBe('scheduled');
    await tabTo(page, 'checkbox', 'Select Only keys');
    await page.keyboard.press('Space');
    await tabTo(page, 'button', 'Delete');
    await page.keyboard.press('Enter');
    await page.getByText('Deleted 1 post.').waitFor();
    await page.reload();
    await expect.poll(async () => (await user.call('GET', `/get-post/${id}`)).status).toBe(404);
  });

  /** Presses Tab until this element has focus. */
  async function tabTo(
    page: Page,
    role: 'tab' | 'searchbox' | 'checkbox' | 'button' | 'textbox' | 'link',
    name: string,
  ) {
    const wanted = page.getByRole(role, { name, exact: true });
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to the ${role} "${name}".`);
  }
});
