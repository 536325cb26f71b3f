import { expect } from 'vitest';
import { aPost } from './support/calendar.ts';
import { composer } from './support/composer.ts';
import { journeys, test } from './support/journey.ts';

const { textField, channel } = composer;
const at = '2030-03-04T09:00:00.000Z';

journeys('the composer', () => {
  test('changes a scheduled post only on request, discards changes and unschedules, each with an undo', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const refused = composer.refusals(page);
    const id = await aPost(user, { content: 'As scheduled', scheduledTime: at });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const undo = (notice: string) =>
      page.getByRole('alert').filter({ hasText: notice }).getByRole('button', { name: 'Undo' }).click();
    await page.goto(`/compose/${id}`);
    await button('Unschedule').waitFor();
    expect(await button('Save draft').count()).toBe(0);
    expect(await button('Discard changes').count()).toBe(0);
    expect(await button('Save changes').isDisabled()).toBe(true);

    await textField(page).fill('Changed');
    await button('Discard changes').click();
    expect(await textField(page).inputValue()).toBe('As scheduled');
    await undo('Changes discarded.');
    expect(await textField(page).inputValue()).toBe('Changed');

    // What was not saved is back after a reload, until it is saved.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    const restored = page.getByText('Your unsaved changes are restored.');
    await restored.waitFor();
    expect(await textField(page).inputValue()).toBe('Changed');
    await button('Discard changes').click();
    await restored.waitFor({ state: 'detached' });
    await textField(page).fill('Changed again');
    await button('Save changes').click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await page.getByText('Changes saved. Scheduled for').waitFor();
    expect(await composer.read(user, page)).toMatchObject({ status: 'scheduled', scheduledTime: at });

    await page.goto(`/compose/${id}`);
    await button('Unschedule').click();
    await button('Save draft').waitFor();
    expect((await composer.read(user, page)).status).toBe('draft');
    await undo('Unscheduled.');
    await button('Save changes').waitFor();
    expect(await composer.read(user, page)).toMatchObject({ status: 'scheduled', scheduledTime: at });
    expect(refused).toEqual([]);
  });

  test('says what it restored only until the post is scheduled, and the notice of that can be undone', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/compose');
    await channel(page, 'Mastodon').click();
    await page.route('**/create-post', (route) => route.abort());
    await textField(page).fill('Almost lost');
    await page.getByText('Changes kept in this browser.').waitFor();
    await page.unroute('**/create-post');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    const restored = page.getByText('Your unsaved changes are restored.');
    await restored.waitFor();
    // The pointer keeps a notification from closing by itself.
    await restored.hover();
    await page.getByLabel('Date').fill('2030-03-04');
    await page.getByLabel('Time').fill('9:00');
    await page.getByRole('button', { name: 'Schedule', exact: true }).press('Enter');
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    expect(await restored.count()).toBe(0);
    const notice = page.getByRole('alert').filter({ hasText: 'Scheduled for Mon 4 Mar 2030, 09:00' });
    await notice.getByRole('button', { name: 'View' }).waitFor();
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    await page.getByRole('button', { name: 'Save draft' }).waitFor();
    expect((await composer.read(user, page)).status).toBe('draft');
  });

  test('counts every key, and shows a verdict only for the text that it was made for', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['twitter', 'instagram'] });
    const refused = composer.refusals(page);
    let isHeld = false;
    let checks = 0;
    const held: (() => void)[] = [];
    await page.route('**/validate-post*', async (route) => {
      checks += 1;
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.goto('/compose');
    await channel(page, 'X').click();
    const verdict = page.getByRole('status').filter({ hasText: /^(Ready|Checking|Write)/ });
    expect(await verdict.textContent()).toBe('Write your post.');
    isHeld = true;
    await textField(page).pressSequentially('Hello');
    // No answer has arrived yet.
    await page.getByText('X: 275 characters left').waitFor();
    expect(await verdict.textContent()).toBe('Checking…');
    await textField(page).pressSequentially(', world');
    await page.getByText('X: 268 characters left').waitFor();
    const publish = page.getByRole('button', { name: 'Publish now' });
    expect(await publish.isEnabled()).toBe(true);
    isHeld = false;
    for (const release of held) release();
    await page.getByText('Ready for all selected channels.').waitFor();
    await page.getByText('X: 268 characters left').waitFor();

    // While someone keeps typing, the server is asked, too.
    const before = checks;
    await textField(page).pressSequentially('. And so on, and so on, and so on', { delay: 60 });
    expect(checks - before).toBeGreaterThan(1);

    await channel(page, 'Instagram').click();
    const verdictOnMedia = page.getByRole('button', { name: /Instagram posts require media/ });
    await verdictOnMedia.waitFor();
    expect(await publish.isDisabled()).toBe(true);
    isHeld = true;
    await textField(page).press('End');
    await textField(page).pressSequentially('!');
    await verdict.getByText('Checking…').waitFor();
    expect(await verdictOnMedia.count()).toBe(0);
    isHeld = false;
    for (const release of held) release();
    // An empty text is not sent at all.
    await textField(page).fill('');
    await page.getByText('Write your post.').waitFor();
    expect(await page.getByText('Content is required').count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('offers first comments only where a selected network accepts them, and shows the focus', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['telegram', 'mastodon'] });
    await page.goto('/compose');
    await channel(page, 'Telegram').click();
    await page.getByRole('button', { name: 'Options for Telegram' }).waitFor();
    const comments = page.getByRole('button', { name: 'First comments' });
    expect(await comments.count()).toBe(0);
    await channel(page, 'Mastodon').click();
    await comments.click();
    await page.getByText('Added below the post on Mastodon.').waitFor();
    await textField(page).focus();
    const outline = "getComputedStyle(document.activeElement).outlineStyle + ' ' + document.activeElement.tagName";
    expect(await page.evaluate(outline)).toBe('solid TEXTAREA');
  });
});
