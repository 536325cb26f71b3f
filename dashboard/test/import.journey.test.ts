import { expect } from 'vitest';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('posts', () => {
  test('are imported from a file, with what was and was not taken', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    await page.goto('/posts');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Import posts', level: 1 }).waitFor();
    expect(await page.title()).toBe('Import posts · Crier');
    await inspect(page, 'import');
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
    await inspect(page, 'import-checked');
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
    await page.getByRole('row').filter({ hasText: 'One; with a semicolon' }).waitFor();
  });
});
