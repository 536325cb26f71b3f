import { expect } from 'vitest';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { aPost } from './support/calendar.ts';
import { channels } from './support/channels.ts';
import { composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import type { Stage, StageUser } from './support/stage.ts';
import { anAgency } from './support/workspace.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const textsOn = async (stage: Stage, network: string, like: RegExp) =>
  (await sandboxControl(stage.service.sandbox.url)<{ text: string }[]>('GET', `/posts?network=${network}`))
    .map(({ text }) => text)
    .filter((text) => like.test(text));

async function failed(user: StageUser, content: string) {
  const id = await aPost(user, { content, publishNow: true });
  await expect
    .poll(async () => (await user.call('GET', `/get-post/${id}`)).body.status, { timeout: 20_000 })
    .toBe('failed');
}

journeys('what needs attention', () => {
  test('a channel without access is reconnected, and what failed because of it is published in order', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['twitter'] });
    const bell = page.getByRole('button', { name: /^Needs attention/ });
    const panel = page.getByRole('dialog', { name: 'Needs attention' });
    const strip = page.getByRole('region', { name: 'Needs attention' });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await page.goto('/calendar');
    await bell.click();
    await panel.getByText('All channels work, and no failed post is waiting.').waitFor();
    await page.keyboard.press('Escape');
    expect(await strip.count()).toBe(0);

    const handle = user.channels[0]!.slice('twitter-'.length);
    const revoked = await sandboxControl(stage.service.sandbox.url)<{ handle: string }[]>(
      'GET',
      '/accounts?network=twitter',
    );
    expect(revoked.length, handle).toBeGreaterThan(0);
    const { body } = await user.call('GET', '/platform-connections');
    await sandboxControl(stage.service.sandbox.url)('PATCH', '/accounts', {
      network: 'twitter',
      handle: body.connections[0].username,
      revokeTokens: true,
    });
    await aPost(user, { content: 'Planned one', scheduledTime: inDays(2) });
    await aPost(user, { content: 'Planned two', scheduledTime: inDays(3) });
    for (const name of ['Lost first', 'Lost second', 'Lost third']) await failed(user, name);

    await strip.getByText(/X · Expired · 2 posts at risk/).waitFor();
    await page.getByRole('button', { name: 'Needs attention (4)' }).waitFor();
    await pages.getByRole('link', { name: 'Channels 1 needs attention' }).waitFor();
    await pages.getByRole('link', { name: 'Posts 3 need attention' }).waitFor();
    await inspect(page, 'attention-strip');
    await bell.press('Enter');
    await panel.getByRole('link', { name: 'Lost first' }).waitFor();
    expect(await panel.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
    expect(await panel.getByText('X has ended Crier’s access.').count()).toBe(1);
    await inspect(page, 'attention-panel');
    // The post itself and the composer lead to the same dialog.
    await panel.getByRole('link', { name: 'Lost first' }).click();
    await page.getByText('Reconnect the X account, then try again here.').waitFor();
    expect(await page.getByRole('button', { name: /^Make a copy/ }).count()).toBe(0);
    const reconnect = page.getByRole('dialog', { name: /^Reconnect .* on X$/ });
    await page.getByRole('main').getByRole('link', { name: 'Reconnect' }).click();
    await reconnect.waitFor();
    await page.goto('/compose');
    await page.getByRole('main').getByRole('link', { name: 'Reconnect' }).click();
    await reconnect.waitFor();
    await page.goto('/calendar');
    await page.getByRole('button', { name: 'Needs attention (4)' }).click();
    await panel.getByRole('link', { name: 'Reconnect' }).click();

    await page.getByRole('dialog').getByRole('button', { name: 'Continue to X' }).click();
    await page.getByRole('radio', { name: new RegExp(body.connections[0].username) }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    const outcome = page.getByRole('status').filter({ hasText: 'Connected' });
    await outcome.getByText('3 posts failed before you reconnected.').waitFor();
    await channels.healthy(page, / on X$/);
    await inspect(page, 'attention-reconnected');
    // The panel offers the same.
    await page.getByRole('button', { name: 'Needs attention (3)' }).click();
    await panel.getByRole('button', { name: 'Retry 3 posts' }).waitFor();
    await inspect(page, 'attention-retry');
    await panel.getByRole('link', { name: 'Lost first' }).click();
    await page.getByText('The X account works again. Try again to publish the post.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.goBack();
    await outcome.getByRole('button', { name: 'Retry 3 posts' }).click();
    await page.getByText('Publishing 3 posts again.').waitFor();
    await expect.poll(() => textsOn(stage, 'twitter', /^Lost/), { timeout: 20_000 }).toHaveLength(3);
    expect(await textsOn(stage, 'twitter', /^Lost/)).toEqual(['Lost first', 'Lost second', 'Lost third']);
    await page.getByRole('button', { name: 'Needs attention', exact: true }).waitFor();
    expect(await pages.getByRole('link', { name: 'Posts', exact: true }).count()).toBe(1);
  });

  test('of all brands is counted wherever the owner is, on a phone', async ({ stage }) => {
    const size = { width: 390, height: 844 };
    const { page, brands } = await anAgency(
      stage,
      { Florist: ['threads'], Garage: [] },
      { networks: ['mastodon'], ...size },
    );
    const { id: brand, call, channels: platforms } = brands.Florist;
    const post = { content: 'Tulips are in', platforms, scheduledTime: inDays(1) };
    expect((await call('POST', '/create-post', post)).status).toBeLessThan(300);
    const { pool } = stage.service.database;
    await pool.query('update connections set reconnect_required_at = now() where user_id = $1', [brand]);
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'Main pages' }).getByRole('link', { name, exact: true });
    const strip = page.getByRole('region', { name: 'Needs attention' });
    for (const path of ['/calendar', '/settings/profile', `/calendar?brand=${brands.Garage.id}`]) {
      await page.goto(path);
      await page.getByRole('button', { name: 'Needs attention (1)' }).waitFor();
      expect(await strip.count(), path).toBe(0);
    }
    // The badge counts what its link leads to.
    await tab('Channels').waitFor();
    await page.goto('/channels');
    await tab('Channels 1 needs attention').waitFor();
    await page.getByText('1 channel of your brands needs attention.').waitFor();
    await page.getByRole('link', { name: 'View in all brands' }).click();
    await page.waitForURL(/brand=all/);
    await page.goto('/calendar?brand=all');
    await strip.getByText('Florist · Threads · Expired · 1 post at risk').waitFor();
    await page.getByRole('button', { name: 'Needs attention (1)' }).click();
    const panel = page.getByRole('dialog', { name: 'Needs attention' });
    await panel.getByText('Florist · Threads · Expired · 1 post at risk').waitFor();
    await tab('Channels 1 needs attention').waitFor();
    await inspect(page, 'attention-brands');
    await panel.getByRole('link', { name: 'Reconnect' }).click();
    await page.getByRole('dialog', { name: /^Reconnect .* on Threads/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('brand')).toBe(brand);

    // The row of the channel offers the same.
    await page.goto('/channels?brand=all');
    await page
      .getByRole('listitem', { name: / on Threads$/ })
      .getByRole('button', { name: 'Reconnect' })
      .click();
    await page.getByRole('dialog', { name: /^Reconnect .* on Threads/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('brand')).toBe(brand);

    // The list of brands has it, too.
    await page.goto('/workspace');
    await page.getByRole('listitem', { name: 'Garage' }).getByText('No channels').waitFor();
    const florist = page.getByRole('listitem', { name: 'Florist' });
    await florist.getByText('1 channel · 1 needs attention').waitFor();
    await inspect(page, 'workspace-attention');
    await florist.getByRole('link', { name: '1 needs attention' }).click();
    await page.waitForURL(new RegExp(`/channels\\?.*brand=${brand}`));
    await page
      .getByRole('radio', { name: 'Needs attention (1)' })
      .and(page.locator(':checked'))
      .waitFor({ state: 'attached' });
  });

  test('failed posts are dismissed, for the person on every device, until one fails again', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const rejects = { network: 'mastodon', operation: 'publish', times: 1, kind: 'status', status: 422 };
    await sandboxControl(stage.service.sandbox.url)('POST', '/faults', rejects);
    await failed(user, 'Never mind');
    await page.goto('/calendar');
    await page.getByRole('button', { name: 'Needs attention (1)' }).click();
    const panel = page.getByRole('dialog', { name: 'Needs attention' });
    await panel.getByRole('button', { name: 'Dismiss 1 failed post' }).click();
    await panel.getByText('All channels work, and no failed post is waiting.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    // A click outside of the panel closes it.
    await page.getByRole('button', { name: 'Needs attention (1)' }).click();
    await panel.getByRole('link', { name: 'Never mind' }).waitFor();
    await panel.getByRole('button', { name: 'Dismiss 1 failed post' }).click();
    await page.getByRole('button', { name: 'Needs attention', exact: true }).waitFor();
    const other = await stage.pageOf(user);
    await other.goto('/settings/profile');
    await other.getByRole('button', { name: 'Needs attention', exact: true }).waitFor();
    await sandboxControl(stage.service.sandbox.url)('POST', '/faults', rejects);
    await failed(user, 'But this one');
    await other.getByRole('button', { name: 'Needs attention (1)' }).waitFor();
  });

  test('scheduled posts of a disconnected channel are listed and marked, and get another channel', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const [mastodon, bluesky] = user.channels;
    const time = inDays(1);
    const first = await aPost(user, { content: 'Fresh rolls', scheduledTime: time, platforms: [mastodon] });
    const second = await aPost(user, { content: 'Warm bread', scheduledTime: time, platforms: user.channels });
    await aPost(user, { content: 'All is well', scheduledTime: time, platforms: [bluesky] });
    await page.goto('/calendar?view=list');
    await page.getByRole('button', { name: 'Needs attention', exact: true }).waitFor();
    expect(await page.getByText('channel disconnected').count()).toBe(0);
    const removed = await page.request.delete(`/api/v1/connections/${encodeURIComponent(mastodon!)}`, {
      headers: { origin: stage.url },
    });
    expect(removed.status()).toBe(200);

    const note = 'Mastodon: channel disconnected. Choose another one.';
    await page.getByText(note).nth(1).waitFor();
    expect(await page.getByText(note).count()).toBe(2);
    await inspect(page, 'stranded-list');
    await page.goto('/calendar?view=week');
    await page
      .getByRole('link', { name: new RegExp(`Fresh rolls.*Scheduled, ${note}`) })
      .waitFor({ state: 'attached' });
    expect(await page.getByRole('link', { name: /All is well.*disconnected/ }).count()).toBe(0);
    const strip = page.getByRole('region', { name: 'Needs attention' });
    await strip.getByText('Mastodon · 2 scheduled posts can’t be published').waitFor();
    await inspect(page, 'stranded-calendar');
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Posts 2 need attention' })
      .waitFor();
    await page.getByRole('button', { name: 'Needs attention (2)' }).click();
    const panel = page.getByRole('dialog', { name: 'Needs attention' });
    await inspect(page, 'stranded-panel');
    await panel.getByRole('link', { name: 'Show posts' }).click();
    const row = (words: string) => page.getByRole('row').filter({ hasText: words });
    await row('Fresh rolls').getByText(note).waitFor();
    await row('Warm bread').getByText(note).waitFor();
    expect(await row('All is well').count()).toBe(0);
    await inspect(page, 'stranded-posts');

    // Several posts get another channel together.
    await page.getByRole('checkbox', { name: 'Select Warm bread' }).check();
    await page.getByRole('region', { name: 'Selected posts' }).getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: /Bluesky/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add channel' }).click();
    await page.getByText('1 post done.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Needs attention (1)' }).waitFor();
    // Or each in the composer.
    await row('Fresh rolls').getByRole('link', { name: 'Fresh rolls' }).click();
    await page.getByText('This post can’t be published on Mastodon').waitFor();
    await inspect(page, 'stranded-post');
    await page.getByRole('link', { name: 'Choose another channel' }).click();
    const gone = page.getByRole('group', { name: 'Disconnected channel' });
    await gone.getByText('The Mastodon channel of this post was disconnected.').waitFor();
    await inspect(page, 'stranded-composer');
    await composer.channel(page, 'Bluesky').click();
    await gone.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(/^Changes saved\./).waitFor();
    await page.getByRole('button', { name: 'Needs attention', exact: true }).waitFor();
    for (const id of [first, second])
      expect((await user.call('GET', `/get-post/${id}`)).body).toMatchObject({
        status: 'scheduled',
        platforms: [bluesky],
      });
  });
});
