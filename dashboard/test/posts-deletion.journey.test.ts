import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { aPost } from './support/calendar.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import type { StageUser } from './support/stage.ts';

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

journeys('deleting posts', () => {
  const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });
  const read = async (user: StageUser, id: string) => (await user.call('GET', `/get-post/${id}`)).body;
  const isGone = async (user: StageUser, id: string) => (await user.call('GET', `/get-post/${id}`)).status === 404;
  const remove = async (page: Page, ...words: string[]) => {
    for (const word of words) await page.getByRole('checkbox', { name: `Select ${word}` }).check();
    await page.getByRole('region', { name: 'Selected posts' }).getByRole('button', { name: 'Delete' }).click();
    await row(page, words[0]!).waitFor({ state: 'detached' });
  };
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

  test('can be undone for some seconds, in which a scheduled post is not published', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const scheduledTime = inMinutes(60);
    const planned = await aPost(user, { content: 'Planned', scheduledTime });
    const idea = await aPost(user, { content: 'An idea', status: 'draft' });
    await page.goto('/posts');
    await remove(page, 'Planned', 'An idea');
    await page.getByText('Deleted 2 posts.').waitFor();
    // Resting on it keeps it open.
    await undo(page).hover();
    await inspect(page, 'posts-deleted');
    // Whatever happens to the page now, it can't be published.
    expect((await read(user, planned)).status).toBe('draft');
    await undo(page).click();
    await row(page, 'Planned').getByText('Scheduled').waitFor();
    await row(page, 'An idea').waitFor();
    expect(await read(user, planned)).toMatchObject({ status: 'scheduled', scheduledTime });

    // The notification ends by itself.
    await remove(page, 'Planned');
    await page.getByText('Deleted 1 post.').waitFor();
    await expect.poll(() => isGone(user, planned), { timeout: 15_000 }).toBe(true);
    expect([await undo(page).count(), await isGone(user, idea)]).toEqual([0, false]);
  });

  test('are sent when the tab closes, and when others are deleted', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const [first, second] = [
      await aPost(user, { content: 'The first', status: 'draft' }),
      await aPost(user, { content: 'The second', scheduledTime: inMinutes(60) }),
    ];
    await page.goto('/posts');
    await remove(page, 'The first');
    await undo(page).waitFor();
    await remove(page, 'The second');
    await expect.poll(() => isGone(user, first!)).toBe(true);
    await page.getByText('Deleted 1 post.').waitFor();
    expect(await isGone(user, second!)).toBe(false);
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => isGone(user, second!)).toBe(true);
  });

  test('from the page of a post leads to the list, where it can be undone', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const id = await aPost(user, { content: 'Planned', scheduledTime: inMinutes(60) });
    await page.goto(`/posts/${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No posts yet').waitFor();
    await undo(page).click();
    await row(page, 'Planned').getByText('Scheduled').waitFor();
  });

  test('return if the request fails, as drafts that are not published', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const id = await aPost(user, { content: 'Planned', scheduledTime: inMinutes(60) });
    await page.goto('/posts');
    await row(page, 'Planned').waitFor();
    // For example because the session has ended meanwhile.
    await remove(page, 'Planned');
    await undo(page).waitFor();
    await page.route('**/delete-posts', (route) => route.fulfill({ status: 500, json: { error: 'Failed to delete' } }));
    await page.locator('.mantine-Notification-root button.mantine-CloseButton-root').click();
    await page.getByText('Couldn’t delete 1 post').waitFor();
    await page.getByText('The post is a draft and won’t be published.').waitFor();
    await row(page, 'Planned').getByText('Draft').waitFor();
    expect((await read(user, id)).status).toBe('draft');
  });

  test('do not begin in an expired session: a scheduled post stays in the list', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const id = await aPost(user, { content: 'Planned', scheduledTime: inMinutes(60) });
    await page.goto('/posts');
    await row(page, 'Planned').waitFor();
    await page.getByRole('checkbox', { name: 'Select Planned' }).check();
    await page.context().clearCookies();
    // Another request may end the session first, whose dialog covers the button.
    const bar = page.getByRole('region', { name: 'Selected posts' });
    await bar.getByRole('button', { name: 'Delete' }).dispatchEvent('click');
    await page.getByText('Couldn’t delete 1 post').waitFor();
    expect(await page.getByText('Deleted').count()).toBe(0);
    expect((await read(user, id)).status).toBe('scheduled');
  });

  test('are confirmed first if they cannot be undone: due soon, or published', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const soon = await aPost(user, { content: 'Any minute', scheduledTime: inMinutes(1.8) });
    await aPost(user, { content: 'On the network', publishNow: true });
    await page.goto('/posts');
    await row(page, 'On the network').getByText('Published').waitFor();
    for (const words of ['Any minute', 'On the network'])
      await page.getByRole('checkbox', { name: `Select ${words}` }).check();
    await page.getByRole('region', { name: 'Selected posts' }).getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 posts?' });
    await dialog.getByText('1 scheduled post won’t be published.').waitFor();
    await dialog.getByText('1 published post stays on the networks. Delete it there to remove it.').waitFor();
    await dialog.getByText('This can’t be undone, because some posts are due within two minutes.').waitFor();
    await inspect(page, 'posts-delete-dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted 2 posts.').waitFor();
    expect([await isGone(user, soon), await undo(page).count()]).toEqual([true, 0]);
  });
});
