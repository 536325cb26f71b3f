import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addDays, addMonths, dateKeyOf, startOfMonth } from '../src/lib/time/time.ts';
import { journeys, test } from './support/journey.ts';
import type { Stage, StageUser } from './support/stage.ts';

/** The month after the next. */
const month = startOfMonth(dateKeyOf(new Date(Date.now() + 62 * 86_400_000), 'Europe/Berlin'));

journeys('with thousands of posts', () => {
  let stage: Stage;
  test.beforeAll(({ stage: shared }) => {
    stage = shared;
  });

  /** Scheduled posts, one after the other in steps of this length. */
  async function fill(user: StageUser, count: number, from: string, stepMinutes: number) {
    const { pool } = stage.service.database;
    const id = `lpad(to_hex(n), 8, '0') || right($1, 16)`;
    await pool.query(
      // The service stores milliseconds, by which lists continue.
      `insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets, created_at,
          updated_at)
        select ${id}, $1, 'Post number ' || n, 'scheduled', $2::timestamptz + n * $3 * interval '1 minute', 1, 1, at, at
        from generate_series(1, $4::int) n, date_trunc('milliseconds', now()) at`,
      [user.id, from, stepMinutes, count],
    );
    const [platform, account] = user.channels[0]!.split(/-(.*)/s);
    await pool.query(
      `insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status)
        select g.id, g.id, g.user_id, c.id, $2, $3, 0, g.content, 'scheduled'
        from post_groups g join connections c on c.user_id = g.user_id where g.user_id = $1`,
      [user.id, platform, account],
    );
  }

  const heapAfterCollection = async (page: Page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize;
  };

  test('a month opens with the posts that fit, and a post can be dragged', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await fill(user, 1000, `${month}T06:00:00Z`, 41);
    await page.goto(`/calendar?view=month&date=${month}`);
    const more = page.getByRole('link', { name: /^\+ \d+ more$/ });
    await more.first().waitFor();
    // Two per day, with the number of others.
    expect(await page.locator('[data-status="scheduled"]').count()).toBeLessThan(120);

    // Start from an empty month, so that the page is loaded and only the data is new.
    await page.goto(`/calendar?view=month&date=${addMonths(month, -1)}`);
    await page.locator('[data-open]').first().waitFor();
    const opening = await workOf(page, async () => {
      await page.getByRole('button', { name: 'Next' }).click();
      await more.first().waitFor();
    });
    const moves = 100;
    const dragging = await workOf(page, () => drag(page, addDays(month, 12), moves));
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    const perMove = Math.round(dragging / moves);
    console.log(`A month with 1,000 posts takes ${opening} ms to open, and ${perMove} ms for each move of a drag.`);
    expect(opening).toBeLessThan(400);
    // With margin for a busy machine: at 60 frames per second a frame is 16 ms long.
    expect(perMove).toBeLessThan(32);
  });

  test('the list is virtualized, and live events leak no memory', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await fill(user, 5000, `${month}T06:00:00Z`, 13);
    await page.goto('/posts');
    await page.getByRole('row').nth(5).waitFor();
    await expect
      .poll(
        async () => {
          await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
          return page.getByText('5,000 posts', { exact: true }).count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByText('5,000 selected').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).click();

    const tell = async (events: number) => {
      await stage.service.database.pool.query(
        `insert into changes (user_id, kind, data)
          select $1, 'post', jsonb_build_object('change', 'updated', 'postGroupId', lpad(to_hex(n), 24, '0'))
          from generate_series(1, $2::int) n`,
        [user.id, events],
      );
      await page.waitForResponse((response) => response.url().includes('/list-posts'));
    };
    await page.goto(`/calendar?view=month&date=${month}`);
    await page.locator('[data-status="scheduled"]').first().waitFor();
    await tell(500);
    const before = await heapAfterCollection(page);
    for (let round = 0; round < 5; round += 1) await tell(1000);
    const grown = (await heapAfterCollection(page)) - before;
    console.log(
      `5,000 live events: the heap grew by ${Math.round(grown / 1024)} kB, from ${Math.round(before / 1024)} kB.`,
    );
    expect(grown).toBeLessThan(8_000_000);
  });

  /** The page's CPU time, independent of other load on the machine. */
  async function workOf(page: Page, action: () => Promise<unknown>): Promise<number> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
    };
    const before = await worked();
    await action();
    const after = await worked();
    await session.detach();
    return Math.round(after - before);
  }

  async function drag(page: Page, date: string, moves: number) {
    const name = new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    }).format(new Date(`${date}T00:00:00Z`));
    const from = (await page.getByRole('region', { name, exact: true }).getByRole('link').nth(1).boundingBox())!;
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    for (let move = 0; move < moves; move += 1)
      await page.mouse.move(from.x + 20 + Math.sin(move / 8) * 300, from.y + 10 + move * 1.5);
    await page.mouse.up();
  }
});
