import { expect } from 'vitest';
import { aPost } from './support/calendar.ts';
import { composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('labels', () => {
  test('are added to a post by typing and from those in use, and removed', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await aPost(user, { content: 'Another post', status: 'draft', labels: ['launch'] });
    const id = await aPost(user, { content: 'Fresh rolls', status: 'draft' });
    const stored = async () => (await user.call('GET', `/get-post/${id}`)).body.labels;
    await page.goto(`/posts/${id}`);
    const field = page.getByRole('combobox', { name: 'Labels' });
    await field.fill('autumn');
    await field.press('Enter');
    await expect.poll(stored).toEqual(['autumn']);
    await field.fill('LAUNCH');
    await field.press('Enter');
    await expect.poll(stored).toEqual(['autumn', 'launch']);
    await inspect(page, 'post-labels');
    await field.press('Backspace');
    await expect.poll(stored).toEqual(['autumn']);
  });

  test('are written with a post, saved with its draft, undone and restored', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/compose');
    const field = page.getByRole('combobox', { name: 'Labels' });
    const add = async (label: string) => {
      await field.fill(label);
      await field.press('Enter');
    };
    await add('launch');
    await composer.saved(page);
    await page.reload();
    const launch = page.getByText('launch', { exact: true });
    await launch.waitFor();

    await composer.channel(page, 'Mastodon').click();
    await composer.textField(page).fill('Fresh rolls');
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    const stored = async () => (await composer.read(user, page)).labels;
    await expect.poll(stored).toEqual(['launch']);
    await add('autumn');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    await expect.poll(stored).toEqual(['launch', 'autumn']);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(stored).toEqual(['launch']);
    // Tooltips are outside of the landmarks.
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await inspect(page, 'composer-labels');
  });
});
