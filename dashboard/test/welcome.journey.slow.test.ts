import { expect } from 'vitest';
import { channels } from './support/channels.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { isLoaded } from './support/stage.ts';

journeys('the first run', () => {
  test('guides from a new account to a published post', async ({ stage }) => {
    const page = await stage.aPage();
    await page.goto('/signup');
    await page.getByLabel('Email').fill('new@example.com');
    await page.getByLabel('Password').fill('a sentence nobody guesses');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor({ timeout: 20_000 });
    expect(await page.title()).toBe('Welcome · Crier');
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(3);
    await inspect(page, 'welcome-start');

    await page.getByText('on a simulated Mastodon server.').waitFor();
    await page.getByRole('button', { name: 'Connect a sandbox account' }).click();
    await channels.decide(page, 'Allow', 'grace');
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await inspect(page, 'welcome-write');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator(':focus', { hasText: 'Publish now' }).waitFor();
    await inspect(page, 'welcome-written');
    // The step is complete once the post is published, not when submitted.
    let answer = () => {};
    const isPublishing = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/get-post/*', async (route) => {
      await isPublishing;
      await route.continue();
    });
    const done = page.getByRole('main').getByRole('img', { name: 'Done' });
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('Publishing your post…').waitFor();
    expect(await done.count()).toBe(2);
    answer();
    await page.getByRole('main').getByText('Published', { exact: true }).waitFor();
    await expect.poll(() => done.count()).toBe(3);
    await page.getByRole('link', { name: 'Open on Mastodon' }).waitFor();
    await inspect(page, 'welcome-published');

    await page.goto('/welcome');
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
  });

  test('publishes on three networks, each with one click and one consent', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ width: 390 });
    const allow = () => page.getByRole('button', { name: 'Allow' }).click();
    const more = page.getByRole('group', { name: 'Add more networks' });
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Connect a sandbox account' }).click();
    await allow();
    await page.getByLabel('Post text').fill('Fresh bread at seven.');
    await more.getByRole('button', { name: 'X' }).click();
    await allow();
    // No app password is needed in the sandbox.
    await more.getByRole('button', { name: 'Bluesky' }).click();
    await page.getByText(/ on Bluesky is connected/).waitFor();
    await inspect(page, 'welcome-three');
    expect(await page.getByText(/is connected/).count()).toBe(3);
    await more.getByRole('button', { name: 'Instagram' }).waitFor();
    await page.getByText(/ needs? a video, so this first post skips (it|them)\.$/).waitFor();
    expect(await page.getByLabel('Post text').inputValue()).toBe('Fresh bread at seven.');

    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(/^This publishes the post to \S+ on \w+, \S+ on \w+ and \S+ on \w+ now\./).waitFor();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText(/^Your first post is live on \w+, \w+ and \w+\./).waitFor();
    for (const network of ['Mastodon', 'X', 'Bluesky'])
      await page.getByRole('link', { name: `Open on ${network}` }).waitFor();
    await inspect(page, 'welcome-three-published');
    // The bell rings once and each network's tick appears, without a visible motion if it is reduced.
    expect(await page.locator('[data-arrived]').count()).toBe(3);
    const bell = "document.querySelector('[class*=ringing]')";
    const duration = async () => String(await page.evaluate(`getComputedStyle(${bell}).animationDuration`));
    expect(Number.parseFloat(await duration())).toBeLessThan(0.001);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await duration()).toBe('0.18s');
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(3);
    const { body } = await user.call('GET', '/list-posts');
    expect(body.posts).toHaveLength(1);
    await page.getByRole('link', { name: 'Add channel' }).click();
    await page.getByRole('dialog', { name: 'Add channel' }).getByRole('button', { name: 'LinkedIn' }).waitFor();
  });

  test('is finished with a picture where a network requires one, and skips it without', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['instagram'] });
    await page.goto('/welcome');
    await page.getByText(/ on Instagram is connected/).waitFor();
    await page.getByText('Instagram needs a picture with every post.').waitFor();
    const next = page.getByRole('button', { name: 'Continue' });
    expect(await next.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Use a sample picture' }).click();
    await inspect(page, 'welcome-picture');
    await page.getByRole('button', { name: 'Remove picture' }).click();

    await page.getByRole('group', { name: 'Add more networks' }).getByRole('button', { name: 'Telegram' }).click();
    await next.click();
    await page.getByText(/It skips Instagram: posts there need an image or video/).waitFor();
    await page.getByRole('button', { name: 'Edit text' }).click();
    await page.getByRole('button', { name: 'Use a sample picture' }).click();
    await next.click();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText(/^Your first post is live on Instagram and Telegram\./).waitFor();
    const { posts } = (await user.call('GET', '/list-posts')).body;
    expect(posts).toHaveLength(1);
  });

  test('is drawn once everything is known, so that its steps stay in place', async ({ stage }) => {
    const { page } = await stage.signedIn();
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/connect', async (route) => {
      await isAsked;
      await route.continue();
    });
    const limits = page.waitForResponse(/platform-limits/);
    await page.goto('/welcome');
    await limits;
    expect(await page.getByRole('heading', { name: 'Write a post' }).count()).toBe(0);
    answer();
    const second = page.getByRole('heading', { name: 'Write a post' });
    await second.waitFor();
    const before = await second.boundingBox();
    await isLoaded(page);
    expect(await second.boundingBox()).toEqual(before);
  });

  test('can be skipped and doesn’t come back', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/');
    await page.getByRole('button', { name: 'Skip setup' }).press('Enter');
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/calendar');
  });
});
