import { expect } from 'vitest';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('posts', () => {
  test('are imported from a file, with the result of each row', async ({ stage }) => {
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
    await page.getByText('2 rows ready to import. 4 rows can’t be imported.').waitFor();
    const line = (words: string) => page.getByRole('listitem').filter({ hasText: words });
    await line('Three').getByText('No channel is named “myspace”.').waitFor();
    await line('Four')
      .getByText(/Scheduled time is in the past/)
      .waitFor();
    await line('Five')
      .getByText(/“tomorrow” isn’t a date and time/)
      .waitFor();
    await line('Six').getByText('No channel given. Choose one for these rows above.').waitFor();
    // Nothing is stored before the import.
    expect((await user.call('GET', '/list-posts')).body.posts).toEqual([]);
    await page.getByRole('combobox', { name: 'Post to' }).click();
    await page.getByRole('option', { name: /Bluesky/ }).click();
    await page.keyboard.press('Escape');
    await page.getByText('3 rows ready to import. 3 rows can’t be imported.').waitFor();
    await inspect(page, 'import-checked');
    await page.getByRole('button', { name: 'Import 3 posts' }).click();
    await page.getByText('3 posts imported. 3 rows not imported.').waitFor();
    await line('One').getByRole('link', { name: 'Imported' }).waitFor();
    const { posts } = (await user.call('GET', '/list-posts')).body;
    expect(posts.map(({ content, status }: { content: string; status: string }) => [content, status]).sort()).toEqual([
      ['One; with a semicolon', 'scheduled'],
      ['Six', 'draft'],
      ['Two', 'scheduled'],
    ]);
    // Nine in the morning in the user's time zone.
    expect(posts.map(({ scheduledTime }: { scheduledTime: string | null }) => scheduledTime).sort()).toEqual([
      '2027-03-04T08:00:00.000Z',
      '2027-03-05T09:00:00.000Z',
      null,
    ]);
    // Importing the same file again creates no duplicates.
    await choose();
    await page.getByRole('button', { name: /^Import \d posts$/ }).click();
    await line('One').getByRole('link', { name: 'Already imported' }).waitFor();
    expect((await user.call('GET', '/list-posts')).body.posts).toHaveLength(3);
    await page.getByRole('link', { name: 'View posts' }).click();
    await page.getByRole('row').filter({ hasText: 'One; with a semicolon' }).waitFor();
  });

  test('are imported from a file with other columns, and with dates as its authors write them', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const headers = { origin: stage.url };
    await page.request.patch('/api/v1/auth/profile', { data: { language: 'de' }, headers });
    await page.goto('/posts/import');
    const file = [
      'Datum;Uhrzeit;Notiz;Beitrag',
      '23.11.2030;9:00;intern;Eröffnung',
      '24.11.2030;14.30 Uhr;intern;Tag der offenen Tür',
    ].join('\n');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose file' }).click();
    await (await choosing).setFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    const table = page.getByRole('table', { name: 'Columns of the file' });
    await table.getByText('Eröffnung · Tag der offenen Tür').waitFor();
    const columnOf = (name: string) => page.getByRole('combobox', { name: `Import ${name} as` });
    expect(await columnOf('Datum').inputValue()).toBe('Date, or date and time');
    expect(await columnOf('Uhrzeit').inputValue()).toBe('Time');
    expect(await columnOf('Notiz').inputValue()).toBe('Don’t import');
    await inspect(page, 'import-columns');
    // Another column can be chosen, and the rows follow.
    const rows = page.getByRole('list', { name: 'Rows' });
    const choose = async (name: string) => {
      await columnOf(name).click();
      await page.getByRole('option', { name: 'Text', exact: true }).click();
    };
    await choose('Notiz');
    await rows.getByText('intern').first().waitFor();
    expect(await columnOf('Beitrag').inputValue()).toBe('Don’t import');
    await choose('Beitrag');
    await rows.getByText('Eröffnung').waitFor();
    await page.getByRole('combobox', { name: 'Post to' }).click();
    await page.getByRole('option', { name: /Mastodon/ }).click();
    await page.keyboard.press('Escape');
    await rows.getByText('Sa., 23. Nov. 2030, 09:00').waitFor();
    await page.getByRole('button', { name: 'Import 2 posts' }).click();
    await page.getByText('2 posts imported.').waitFor();
    const { posts } = (await user.call('GET', '/list-posts')).body;
    expect(posts.map(({ scheduledTime }: { scheduledTime: string }) => scheduledTime).sort()).toEqual([
      '2030-11-23T08:00:00.000Z',
      '2030-11-24T13:30:00.000Z',
    ]);

    // The composer reads the same dates, and words of that language.
    await page.goto('/compose');
    await page.getByLabel('Date').fill('morgen 9');
    await page.getByLabel('Date').blur();
    await expect.poll(() => page.getByLabel('Time').inputValue()).toBe('09:00');
    await page.getByLabel('Date').fill('23.11.2030');
    await page.getByLabel('Date').blur();
    await expect.poll(() => page.getByLabel('Date').inputValue()).toBe('2030-11-23');
  });
});
