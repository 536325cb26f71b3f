import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { Crier } from '../../client/src/index.ts';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { aPost } from './support/calendar.ts';
import { aPicture } from './support/composer.ts';
import { inspect, isCut } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import type { StageUser } from './support/stage.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const rightOf = async (element: Locator) => {
  const { x, width } = (await element.boundingBox())!;
  return x + width;
};

journeys('the list of posts', () => {
  const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });
  const read = async (user: StageUser, id: string) => (await user.call('GET', `/get-post/${id}`)).body;
  const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const select = async (page: Page, ...words: string[]) => {
    for (const word of words) await page.getByRole('checkbox', { name: `Select ${word}` }).check();
  };
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected posts' });
  const dialog = (page: Page) => page.getByRole('dialog');
  const words = (page: Page) => page.getByRole('row').getByRole('link').allInnerTexts();

  test('is sorted by its columns, and filtered by date and label, all in the address', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await aPost(user, { content: 'Next week', scheduledTime: inDays(5), labels: ['launch'] });
    await aPost(user, { content: 'Next month', scheduledTime: inDays(25) });
    await aPost(user, { content: 'Tomorrow', scheduledTime: inDays(1), labels: ['launch'] });
    await page.goto('/posts');
    await row(page, 'Tomorrow').waitFor();
    const heading = (name: string) => page.getByRole('columnheader', { name });
    expect(await heading('Created').getAttribute('aria-sort')).toBe('descending');
    expect(await words(page)).toEqual(['Tomorrow', 'Next month', 'Next week']);
    await inspect(page, 'posts-columns');

    await page.getByRole('button', { name: 'Time', exact: true }).click();
    await expect.poll(() => words(page)).toEqual(['Next month', 'Next week', 'Tomorrow']);
    expect(search(page)).toEqual({ sort: 'time', order: 'desc' });
    await page.getByRole('button', { name: 'Time', exact: true }).click();
    await expect.poll(() => words(page)).toEqual(['Tomorrow', 'Next week', 'Next month']);
    expect(await heading('Time').getAttribute('aria-sort')).toBe('ascending');
    expect(await heading('Created').getAttribute('aria-sort')).toBe('none');

    await choose(page, 'Date', 'Next 7 days');
    await row(page, 'Next month').waitFor({ state: 'detached' });
    await choose(page, 'Label', 'launch');
    await expect.poll(() => search(page)).toMatchObject({ dates: 'next-7-days', label: 'launch', sort: 'time' });
    await page.reload();
    await row(page, 'Next week').waitFor();
    expect(await words(page)).toEqual(['Tomorrow', 'Next week']);
    await choose(page, 'Date', 'Last 30 days');
    await page.getByText('No matching posts').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await row(page, 'Next month').waitFor();

    // Days of one's own choice, in the person's date format.
    await choose(page, 'Date', 'Custom range');
    await page.getByRole('button', { name: /^From: / }).click();
    await page.getByRole('button', { name: 'Any day' }).click();
    await page.getByRole('button', { name: /^To: / }).click();
    await page.locator('[data-day]:focus').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await row(page, 'Next week').waitFor({ state: 'detached' });
    await row(page, 'Tomorrow').waitFor();
    const shown = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'Europe/Berlin',
    }).format(new Date(inDays(2)));
    await page.getByRole('button', { name: `To: ${shown}` }).waitFor();
  });

  test('shows what changes before its events arrive', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const { promise: isListed, resolve: listed } = Promise.withResolvers<void>();
    await page.route(/\/api\/v1\/events/, async (route) => {
      await isListed;
      await route.continue();
    });
    await page.goto('/posts');
    await page.getByText('No posts yet').waitFor();
    await aPost(user, { content: 'In the meantime' });
    listed();
    await row(page, 'In the meantime').waitFor();
  });

  test('has low rows, and filters that end with them and show the chosen channel uncut', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const handle = 'wittypanda6061@mastodon.social';
    await stage.service.database.pool.query('update connections set handle = $2 where user_id = $1', [user.id, handle]);
    await aPost(user, { content: 'Tomorrow', scheduledTime: inDays(1), labels: ['launch'] });
    await page.goto(`/posts?channel=${user.channels[0]}`);
    await row(page, 'Tomorrow').waitFor();
    const end = await rightOf(page.getByRole('table'));
    expect(await rightOf(page.getByRole('combobox', { name: 'Date' }))).toBeCloseTo(end, 0);
    await aPost(user, { content: 'Without a label', scheduledTime: inDays(2) });
    await row(page, 'Without a label').waitFor();
    expect((await row(page, 'Without a label').boundingBox())!.height).toBeLessThan(56);
    const filter = page.getByRole('combobox', { name: 'Channel' });
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => filter.inputValue()).toBe('wittypanda6061');
      expect(await isCut(filter), `at ${width} px`).toBe(false);
    }
    expect(await filter.getAttribute('title')).toBe(`${handle} · Mastodon`);
    await filter.click();
    await page.getByRole('option', { name: `${handle} · Mastodon` }).waitFor();
  });

  test('is sorted and changed on a phone, too', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], width: 390 });
    await aPost(user, { content: 'Later', scheduledTime: inDays(5) });
    await aPost(user, { content: 'Sooner', scheduledTime: inDays(1) });
    await page.goto('/posts');
    await choose(page, 'Sort by', 'Time: latest');
    await expect.poll(() => words(page)).toEqual(['Later', 'Sooner']);
    await select(page, 'Later');
    await bar(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await dialog(page).getByRole('button', { name: 'Duplicate 1 post' }).click();
    await dialog(page).getByText('1 post done.').waitFor();
    const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(scrollWidth).toBeLessThanOrEqual(390);
  });

  test('publishes selected posts once each, and reports the result of each', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const [mastodon] = user.channels;
    const both = await aPost(user, { content: 'On both networks', scheduledTime: inDays(3) });
    const text = `On one network ${user.id.slice(-6)}`;
    const one = await aPost(user, { content: text, platforms: [mastodon], status: 'draft' });
    await aPost(user, { content: 'Sent before', platforms: [mastodon], publishNow: true });
    await page.goto('/posts');
    await row(page, 'Sent before').getByText('Published').waitFor();
    await select(page, 'On both networks', 'On one network', 'Sent before');
    // The response of one is lost, and the request is repeated.
    let lost = 0;
    await page.route(`**/update-post/${one}`, async (route) => {
      lost += 1;
      if (lost > 4) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await bar(page).getByRole('button', { name: 'Publish' }).click();
    await dialog(page).getByText('2 posts will be published on 2 channels.').waitFor();
    await dialog(page).getByText('1 scheduled post won’t wait for its time.').waitFor();
    await dialog(page).getByText('1 post can’t be published: already sent, or without a channel.').waitFor();
    await inspect(page, 'bulk-publish');
    await dialog(page).getByRole('button', { name: 'Publish 2 posts' }).click();
    await dialog(page).getByText('1 post done, 1 left unchanged, 1 failed.').waitFor({ timeout: 30_000 });
    await dialog(page).getByText('Already sent.').waitFor();
    await dialog(page).getByRole('button', { name: 'Try again' }).click();
    await dialog(page).getByText('2 posts done, 1 left unchanged.').waitFor();
    await dialog(page).getByText('Published', { exact: true }).nth(1).waitFor();
    await inspect(page, 'bulk-published');
    for (const id of [both, one]) {
      const { status, posts } = await read(user, id);
      expect([status, posts.every((post: { postedId: string }) => post.postedId)]).toEqual(['published', true]);
    }
    const onNetwork = await sandboxControl(stage.service.sandbox.url)<{ text: string }[]>(
      'GET',
      '/posts?network=mastodon',
    );
    expect(onNetwork.filter((post) => post.text === text)).toHaveLength(1);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await bar(page).waitFor({ state: 'detached' });
  });

  test('adds a channel to posts, and says why to which it does not', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'instagram'] });
    const [mastodon, instagram] = user.channels;
    const draft = await aPost(user, { content: 'A draft', platforms: [mastodon], status: 'draft' });
    const planned = await aPost(user, {
      content: 'Without a picture',
      platforms: [mastodon],
      scheduledTime: inDays(2),
    });
    await aPost(user, { content: 'On both', status: 'draft' });
    await page.goto('/posts');
    await select(page, 'A draft', 'Without a picture', 'On both');
    await bar(page).getByRole('button', { name: 'Add channel' }).click();
    await dialog(page).getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: /Instagram/ }).click();
    await dialog(page).getByRole('button', { name: 'Add channel' }).click();
    await dialog(page).getByText('1 post done, 1 left unchanged, 1 failed.').waitFor();
    await dialog(page).getByText('Already has this channel.').waitFor();
    await inspect(page, 'bulk-channel');
    expect((await read(user, draft)).platforms).toEqual([mastodon, instagram]);
    // A scheduled post stays as it is rather than becoming one that the network refuses.
    expect(await read(user, planned)).toMatchObject({ status: 'scheduled', platforms: [mastodon] });
  });

  test('duplicates posts with their files', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const id = await aPost(user, { content: 'With a picture', status: 'draft', labels: ['launch'] });
    const { name, mimeType, buffer } = await aPicture('sea.png', '#26c');
    const crier = new Crier({ baseUrl: stage.url, apiKey: user.apiKey });
    const file = new Blob([new Uint8Array(buffer)], { type: mimeType });
    await crier.uploadMedia(file, { postGroupId: id, fileName: name, altText: 'The sea' });
    await aPost(user, { content: 'Only text', scheduledTime: inDays(2) });
    await page.goto('/posts');
    await select(page, 'With a picture', 'Only text');
    await bar(page).getByRole('button', { name: 'Duplicate' }).click();
    // Its file is not attached at first. The second click completes the same copy.
    await page.route('**/post/*/media', (route) => route.abort(), { times: 1 });
    await dialog(page).getByRole('button', { name: 'Duplicate 2 posts' }).dblclick();
    await dialog(page).getByText('1 post done, 1 failed.').waitFor();
    await dialog(page).getByRole('button', { name: 'Try again' }).click();
    await dialog(page).getByText('2 posts done.').waitFor();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => words(page)).toHaveLength(4);
    const { body } = await user.call('GET', '/list-posts?status=draft&sortBy=createdAt&sortOrder=asc');
    const copies = body.posts.filter(({ postGroupId }: { postGroupId: string }) => postGroupId !== id);
    expect(copies.map(({ content }: { content: string }) => content).sort()).toEqual(['Only text', 'With a picture']);
    const copy = copies.find(({ content }: { content: string }) => content === 'With a picture');
    expect(await read(user, copy.postGroupId)).toMatchObject({
      labels: ['launch'],
      media: [{ sourceFileName: 'sea.png', altText: 'The sea' }],
    });
  });

  test('adds and removes labels, whose colours can be chosen', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const first = await aPost(user, { content: 'The first', status: 'draft', labels: ['autumn'] });
    const second = await aPost(user, { content: 'The second', publishNow: true });
    await page.goto('/posts');
    await row(page, 'The second').getByText('Published').waitFor();
    await select(page, 'The first', 'The second');
    await bar(page).getByRole('button', { name: 'Add label' }).click();
    const field = dialog(page).getByRole('combobox', { name: 'Labels' });
    // Without Enter.
    await field.fill('launch');
    await dialog(page).getByRole('button', { name: 'Add label' }).click();
    await dialog(page).getByText('2 posts done.').waitFor();
    await inspect(page, 'bulk-label');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    expect([(await read(user, first)).labels, (await read(user, second)).labels]).toEqual([
      ['autumn', 'launch'],
      ['launch'],
    ]);
    await row(page, 'The second').getByText('launch').waitFor();

    await select(page, 'The first', 'The second');
    await bar(page).getByRole('button', { name: 'Remove label' }).click();
    await dialog(page).getByRole('combobox', { name: 'Labels' }).click();
    await page.getByRole('option', { name: 'autumn' }).click();
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Remove label' }).click();
    await dialog(page).getByText('1 post done, 1 left unchanged.').waitFor();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    expect((await read(user, first)).labels).toEqual(['launch']);

    await page.getByRole('button', { name: 'Manage labels' }).click();
    await dialog(page).getByText('Select a label to change its colour.').waitFor();
    await page.getByRole('button', { name: 'Colour of launch' }).click();
    await inspect(page, 'labels-manage');
    await page.getByRole('radio', { name: 'pink' }).click();
    await expect
      .poll(async () => (await user.call('GET', '/labels')).body.labels)
      .toEqual([{ name: 'launch', colour: 'pink' }]);
    await dialog(page).getByRole('link', { name: 'Show posts' }).click();
    await expect.poll(() => search(page)).toEqual({ label: 'launch' });
  });
});
