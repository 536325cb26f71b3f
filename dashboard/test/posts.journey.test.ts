import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxControl } from '../../test/support/sandbox-control.ts';
import { accessibilityProblems, chromiumPath, openStage, type Stage, type StageUser } from './support/stage.ts';

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

describe.skipIf(!chromiumPath)('posts', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  async function aPost(user: StageUser, body: object): Promise<string> {
    const answer = await user.call('POST', '/create-post', { platforms: user.channels, ...body });
    expect(answer.body).toMatchObject({ success: true });
    return answer.body.postGroupId;
  }
  const read = async (user: StageUser, id: string) => (await user.call('GET', `/get-post/${id}`)).body;
  const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

  test('are searched, filtered, moved and deleted many at once', async () => {
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
    expect(await accessibilityProblems(page)).toEqual([]);

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

    // Days are moved so that the time of day stays, and Undo moves them back.
    const before = (await read(user, breakfast)).scheduledTime;
    await page.getByRole('checkbox', { name: 'Select Breakfast is served' }).check();
    await page.getByRole('checkbox', { name: 'Select An idea for dinner' }).check();
    const bar = page.getByRole('region', { name: 'Selected posts' });
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Reschedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 post without a time, or already sent, cannot be moved.').waitFor();
    await dialog.getByLabel('Move by').fill('7');
    await dialog.getByRole('button', { name: 'Move 1 post' }).click();
    await page.getByText('1 post moved.').waitFor();
    const after = (await read(user, breakfast)).scheduledTime;
    expect(Math.round((Date.parse(after) - Date.parse(before)) / day)).toBe(7);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await read(user, breakfast)).scheduledTime).toBe(before);

    // Deleting says what happens.
    await page.getByRole('checkbox', { name: 'Select Lunch is late' }).check();
    await page.getByRole('checkbox', { name: 'Select An idea for dinner' }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('1 scheduled post will not be published.').waitFor();
    await page.getByRole('dialog').getByText('1 draft will be gone, with its files.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row(page, 'Lunch').waitFor({ state: 'detached' });
    expect((await user.call('GET', `/get-post/${lunch}`)).status).toBe(404);
    expect((await user.call('GET', `/get-post/${draft}`)).status).toBe(404);
    await row(page, 'Breakfast').waitFor();
  });

  test('that do not exist yet are explained', async () => {
    const { page } = await stage.signedIn({ colorScheme: 'dark', width: 360 });
    await page.goto('/posts');
    await page.getByRole('heading', { name: 'No posts yet' }).waitFor();
    await page.getByRole('link', { name: 'Write a post' }).waitFor();
    await page.getByRole('tab', { name: 'Failed' }).click();
    await page.getByRole('heading', { name: 'Nothing failed' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('show each target, the thread, the comments and the history', async () => {
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
    await history.getByText('Mastodon published the post').waitFor();
    await history.getByText('Comment 1 was posted on Mastodon').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    const copy = await read(user, page.url().slice(-24));
    expect(copy).toMatchObject({ status: 'draft', platforms: user.channels });
    expect(copy.firstComments).toMatchObject([{ text: 'More on our site' }]);
  });

  test('that failed say why, and are tried again where that helps', async () => {
    const { page, user } = await stage.signedIn({ networks: ['telegram', 'mastodon'] });
    const control = sandboxControl(stage.service.sandbox.url);
    await control('POST', '/faults', {
      network: 'telegram',
      operation: 'publish',
      kind: 'rate_limit',
      retryAfterSeconds: 7 * 3600,
      times: 1,
    });
    await control('POST', '/faults', {
      network: 'mastodon',
      operation: 'publish',
      kind: 'status',
      status: 422,
      times: 1,
    });
    const id = await aPost(user, { content: 'Try me twice', publishNow: true });
    await page.goto('/posts?status=failed');
    await row(page, 'Try me twice').getByRole('link').click();
    const telegram = page.getByRole('region', { name: 'Telegram' });
    await telegram.getByText('Failed', { exact: true }).waitFor();
    const mastodon = page.getByRole('region', { name: 'Mastodon' });
    await mastodon.getByText(/The same post would fail again/).waitFor();
    expect(await mastodon.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);

    await telegram.getByRole('button', { name: 'Try again' }).click();
    await telegram.getByText('Published', { exact: true }).waitFor();
    await telegram.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
    expect(await read(user, id)).toMatchObject({ status: 'partially_published' });
    await page.getByRole('region', { name: 'History' }).getByText('You asked to try Telegram again').waitFor();
  });

  test('whose outcome is unknown say so and are not offered again', async () => {
    const { page, user } = await stage.signedIn({ networks: ['telegram'], colorScheme: 'dark' });
    const control = sandboxControl(stage.service.sandbox.url);
    await control('POST', '/faults', { network: 'telegram', operation: 'publish', kind: 'reset_after', times: 1 });
    const id = await aPost(user, { content: 'Did it arrive?', publishNow: true });
    await page.goto(`/posts/${id}`);
    await page.getByText('It is not known whether this was published').waitFor();
    await page.getByText(/Look at the account on Telegram/).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/posts$/);
    expect((await user.call('GET', `/get-post/${id}`)).status).toBe(404);
  });

  test('are imported from a file, with what was and was not taken', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    await page.goto('/posts');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Import posts', level: 1 }).waitFor();
    expect(await page.title()).toBe('Import posts · Crier');
    await inBothThemes(page);
    const file = [
      'text;to;at',
      '"One; with a semicolon";mastodon;2027-03-04 09:00',
      `Two;${user.channels[1]};2027-03-05T09:00:00Z`,
      'Three;myspace;2027-03-05 09:00',
      'Four;mastodon;2020-03-05 09:00',
      'Five;mastodon;tomorrow',
      'Six;;',
    ].join('\r\n');
    const choose = async () => {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose file' }).click();
      await (await choosing).setFiles({ name: 'posts.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    };
    await choose();
    await page.getByText('2 rows can be imported. 4 rows cannot be imported.').waitFor();
    const line = (words: string) => page.getByRole('listitem').filter({ hasText: words });
    await line('Three').getByText('None of your channels is called “myspace”.').waitFor();
    await line('Four')
      .getByText(/Scheduled time is in the past/)
      .waitFor();
    await line('Five')
      .getByText(/“tomorrow” is no date and time/)
      .waitFor();
    await line('Six').getByText('It names no account. Choose one for such rows.').waitFor();
    // Nothing is stored before it is asked for.
    expect((await user.call('GET', '/list-posts')).body.posts).toEqual([]);
    await page.getByRole('combobox', { name: 'Post to' }).click();
    await page.getByRole('option', { name: /Bluesky/ }).click();
    await page.keyboard.press('Escape');
    await page.getByText('3 rows can be imported. 3 rows cannot be imported.').waitFor();
    await inBothThemes(page);
    await page.getByRole('button', { name: 'Import 3 posts' }).click();
    await page.getByText('3 posts imported. 3 rows not taken.').waitFor();
    await line('One').getByRole('link', { name: 'Imported' }).waitFor();
    const { posts } = (await user.call('GET', '/list-posts')).body;
    expect(posts.map(({ content, status }: { content: string; status: string }) => [content, status]).sort()).toEqual([
      ['One; with a semicolon', 'scheduled'],
      ['Six', 'draft'],
      ['Two', 'scheduled'],
    ]);
    // Nine in the morning in the zone of the person.
    expect(posts.map(({ scheduledTime }: { scheduledTime: string | null }) => scheduledTime).sort()).toEqual([
      '2027-03-04T08:00:00.000Z',
      '2027-03-05T09:00:00.000Z',
      null,
    ]);
    // The same file makes nothing twice.
    await choose();
    await page.getByRole('button', { name: /^Import \d posts$/ }).click();
    await line('One').getByRole('link', { name: 'Was imported before' }).waitFor();
    expect((await user.call('GET', '/list-posts')).body.posts).toHaveLength(3);
    await page.getByRole('link', { name: 'Show posts' }).click();
    await row(page, 'One; with a semicolon').waitFor();
  });

  test('are found, opened, rescheduled and deleted by keyboard alone', async () => {
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
    await tabTo(page, 'textbox', 'Move by');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2');
    await tabTo(page, 'button', 'Move 1 post');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => Math.round((Date.parse((await read(user, id)).scheduledTime) - Date.parse(before)) / day))
      .toBe(2);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'link', 'Only keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Only keys', level: 1 }).waitFor();
    await tabTo(page, 'button', 'Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'button', 'Delete');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/posts$/);
    expect((await user.call('GET', `/get-post/${id}`)).status).toBe(404);
  });

  const inBothThemes = async (page: Page) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await accessibilityProblems(page), colorScheme).toEqual([]);
    }
  };

  /** Presses Tab until this has the focus. */
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
