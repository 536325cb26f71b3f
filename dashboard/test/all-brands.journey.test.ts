import { expect } from 'vitest';
import { aPost } from './support/calendar.ts';
import { composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { anAgency } from './support/workspace.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const brandOf = (url: string) => new URL(url).searchParams.get('brand');

journeys('all brands together', () => {
  test('lead to the brand of each thing, and to one’s own account', async ({ stage }) => {
    const { page, owner, brands } = await anAgency(
      stage,
      { Bakery: ['threads'], Garage: ['bluesky'] },
      { networks: ['mastodon'] },
    );
    const { Bakery, Garage } = brands;
    await aPost(owner, { content: 'Mine alone' });
    await Bakery.call('POST', '/create-post', { content: 'Draft of the bakery', platforms: Bakery.channels });

    await page.goto('/posts?brand=all');
    await page.getByRole('tab', { name: 'Drafts' }).click();
    await page.getByRole('link', { name: 'Draft of the bakery' }).waitFor();
    await page.getByRole('link', { name: 'Mine alone' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await composer.textField(page).waitFor();
    expect(brandOf(page.url())).toBeNull();
    const postTo = page.getByRole('group', { name: 'Post to' });
    expect(await postTo.getByRole('button').count()).toBe(1);
    // An address with all brands, too.
    await page.goto(page.url().replace(/\?.*|$/, '?brand=all'));
    await composer.textField(page).waitFor();
    expect(brandOf(page.url())).toBeNull();

    // Beside the calendar, each draft has the name of its brand.
    await page.goto('/calendar?brand=all&view=month');
    await page.getByRole('button', { name: 'Drafts' }).click();
    const tray = page.getByRole('region', { name: 'Drafts' });
    await tray.getByRole('link', { name: /^Draft of the bakery Bakery/ }).waitFor();
    await inspect(page, 'all-brands-drafts');

    // What is added asks for whom.
    const choices = page.getByRole('navigation', { name: 'Brands' });
    await page.goto('/channels?brand=all');
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('dialog', { name: 'Which brand is the channel for?' }).waitFor();
    await inspect(page, 'all-brands-add-channel');
    await choices.getByRole('link', { name: 'Garage' }).click();
    await page.getByRole('dialog', { name: 'Add channel' }).waitFor();
    expect(brandOf(page.url())).toBe(Garage.id);
    await page.goto('/posts?brand=all');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByText('Which brand are the posts for?').waitFor();
    await choices.getByRole('link', { name: 'Bakery' }).click();
    await page.getByText('CSV or JSON Lines').waitFor();
    expect(brandOf(page.url())).toBe(Bakery.id);
    for (const address of ['/queue', '/insights', '/media']) {
      await page.goto(`${address}?brand=all`);
      await choices.getByRole('link', { name: 'Garage' }).waitFor();
      await inspect(page, `all-brands${address.replace('/', '-')}`);
      await choices.getByRole('link', { name: 'Bakery' }).click();
      await choices.waitFor({ state: 'detached' });
      expect([new URL(page.url()).pathname, brandOf(page.url())]).toEqual([address, Bakery.id]);
    }
    await page.getByText('No files yet').waitFor();
  });

  test('keep the time of a new post, have the slots of each, and stay after it is scheduled', async ({ stage }) => {
    const { page, brands } = await anAgency(stage, { Bakery: ['threads'], Garage: ['threads'] });
    const { Bakery, Garage } = brands;
    const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, time: '23:30' }));
    await Bakery.call('PUT', '/posting-slots', { timeZone: 'Europe/Berlin', slots: week });
    const post = { content: 'Buns', platforms: Bakery.channels, labels: ['news'], scheduledTime: inDays(3) };
    await Bakery.call('POST', '/create-post', post);
    await Garage.call('POST', '/create-post', { ...post, content: 'Tyres', platforms: Garage.channels });
    await Garage.call('PATCH', '/labels/news', { colour: 'pink' });

    await page.goto('/calendar?brand=all&view=month');
    const ghost = page.getByRole('link', { name: /^Free slot, .*, Bakery$/ });
    await ghost.first().waitFor();
    await inspect(page, 'all-brands-slots');
    const add = page.locator('[data-add]').last();
    await add.focus();
    const wanted = new URL((await add.getAttribute('href'))!, page.url()).searchParams;
    await add.press('Enter');
    await page.getByRole('navigation', { name: 'Brands' }).getByRole('link', { name: 'Garage' }).click();
    await composer.textField(page).waitFor();
    expect(await page.getByLabel('Date').inputValue()).not.toBe('');
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('brand'), searchParams.get('time')]).toEqual([Garage.id, wanted.get('time')]);

    // From a slot straight into the brand, and back to the calendar with a notification that leads to the post.
    await page.goto('/calendar?brand=all&view=month');
    await ghost.last().click();
    await composer.textField(page).fill('Late buns');
    expect(brandOf(page.url())).toBe(Bakery.id);
    await composer.channel(page, 'Threads').click();
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Scheduled for' });
    await notice.waitFor();
    await page.waitForURL(/\/calendar\?/);
    expect(brandOf(page.url())).toBe('all');
    await notice.getByRole('button', { name: 'View' }).click();
    await page.getByRole('heading', { name: 'Late buns' }).waitFor();
    expect(brandOf(page.url())).toBe(Bakery.id);

    // A new post without a time, too.
    await page.goto('/calendar?brand=all&view=month');
    await page.getByRole('link', { name: 'New post', exact: true }).first().click();
    await page.getByRole('navigation', { name: 'Brands' }).getByRole('link', { name: 'Garage' }).click();
    await composer.textField(page).fill('Winter tyres');
    await composer.channel(page, 'Threads').click();
    await page.getByLabel('Date').fill('tomorrow 9');
    await page.getByLabel('Date').press('Tab');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.waitForURL(/\/calendar\?/);
    expect(new URL(page.url()).search).toContain('view=month');
    expect(brandOf(page.url())).toBe('all');

    // The same label in two brands, each in its colour.
    await page.goto('/posts?brand=all');
    const chip = (name: string) => page.getByRole('row', { name }).getByText('news');
    await chip('Buns').first().waitFor();
    const colourOf = (name: string) =>
      chip(name)
        .first()
        .evaluate((node) => {
          const { getComputedStyle } = globalThis as unknown as {
            getComputedStyle(node: unknown): { color: string };
          };
          return getComputedStyle(node).color;
        });
    expect(await colourOf('Buns')).not.toBe(await colourOf('Tyres'));

    // It is suggested once for posts of both.
    for (const name of ['Buns', 'Tyres']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    await page.getByRole('button', { name: 'Add label' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Labels' }).click();
    expect(await page.getByRole('option', { name: 'news' }).count()).toBe(1);
  });

  test('name the brand of each channel in filters', async ({ stage }) => {
    const { page, brands } = await anAgency(
      stage,
      { Bakery: ['mastodon', 'threads'], Garage: ['mastodon'] },
      { networks: ['mastodon'] },
    );
    const { name: own } = await (await page.request.get('/api/v1/auth/profile')).json();
    for (const address of ['/calendar?brand=all', '/posts?brand=all']) {
      await page.goto(address);
      await page.getByRole('combobox', { name: 'Channel' }).click();
      const inGroup = (name: string) => page.getByRole('group', { name }).getByRole('option');
      await expect.poll(() => inGroup('Bakery').count(), { message: address }).toBe(2);
      expect([await inGroup('Garage').count(), await inGroup(own).count()]).toEqual([1, 1]);
      if (address.startsWith('/calendar')) await inspect(page, 'all-brands-filter');
      await inGroup('Garage').click();
      await expect.poll(() => new URL(page.url()).searchParams.get('channel')).toBe(brands.Garage.channels[0]);
    }
  });

  test('keep their place while the brands load', async ({ stage }) => {
    const { page } = await anAgency(
      stage,
      { Bakery: ['threads'] },
      { width: 390, height: 844, networks: ['mastodon'] },
    );
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/workspace/users', async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goto('/channels?brand=all');
    const channel = page.getByRole('listitem', { name: / on Threads$/ });
    const manage = channel.getByRole('link', { name: 'Manage' });
    await manage.waitFor();
    const places = async () => [await manage.boundingBox(), await page.getByRole('listitem').last().boundingBox()];
    const before = await places();
    expect(await page.getByRole('banner').getByText('Crier').count()).toBe(0);
    answer();
    await channel.getByText('Bakery').waitFor();
    await page.getByRole('combobox', { name: 'Brand' }).waitFor();
    expect(await places()).toEqual(before);
  });

  test('are searched from a page of the account', async ({ stage }) => {
    const { page, brands } = await anAgency(stage, { Bakery: ['threads'] });
    const { id, channels, call } = brands.Bakery;
    await call('POST', '/create-post', { content: 'Sourdough on Friday', platforms: channels });
    await page.goto('/settings/profile');
    await page.getByRole('button', { name: /^Search/ }).click();
    const field = page.getByLabel('Search everything');
    await field.fill('threads');
    await page.getByText('Threads · Bakery').waitFor();
    await field.fill('sourdough');
    await page.getByText('Bakery · Draft').waitFor();
    await page.getByRole('button', { name: /Sourdough on Friday/ }).click();
    await page.getByRole('heading', { name: 'Sourdough on Friday' }).waitFor();
    expect(brandOf(page.url())).toBe(id);
  });

  test('are switched on a phone, and each has its media, insights and queue', async ({ stage }) => {
    const { page, brands } = await anAgency(
      stage,
      { Bakery: ['mastodon'], Garage: [] },
      { width: 390, height: 844, networks: ['twitter'] },
    );
    const { Bakery, Garage } = brands;
    const slots = [{ weekday: 1, time: '09:00' }];
    await Bakery.call('PUT', '/posting-slots', { timeZone: 'Europe/Berlin', slots });
    const choose = async (name: string) => {
      await page.getByRole('combobox', { name: 'Brand' }).click();
      await page.getByRole('option', { name, exact: true }).click();
      await expect.poll(() => page.getByRole('combobox', { name: 'Brand' }).inputValue()).toBe(name);
    };
    await page.goto('/media');
    await page.getByText('No files yet').waitFor();
    await choose('Bakery');
    await page.getByText('No files yet').waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload' }).click(),
    ]);
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await chooser.setFiles({ name: 'rolls.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
    await page.getByText('1 file', { exact: true }).waitFor();
    await inspect(page, 'brand-media');
    await choose('Garage');
    await page.getByText('No files yet').waitFor();

    await page.goto(`/queue?brand=${Bakery.id}`);
    await page
      .getByRole('link', { name: /Free slot/ })
      .first()
      .waitFor();
    await choose('Garage');
    await page
      .getByRole('link', { name: /Free slot/ })
      .first()
      .waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/queue');

    await page.goto(`/insights?brand=${Bakery.id}`);
    await page.getByRole('combobox', { name: 'Channel' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Channel' }).inputValue()).toBe(Bakery.channels[0]);
    await inspect(page, 'brand-insights');
    await choose('Garage');
    await page.getByRole('combobox', { name: 'Channel' }).waitFor({ state: 'detached' });
    expect(brandOf(page.url())).toBe(Garage.id);
  });
});
