import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { aPicture, composer, eventually } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import type { StageUser } from './support/stage.ts';

interface File {
  sourceFileName: string;
  altText: string | null;
}

journeys('files in the composer', { timeout: 120_000 }, () => {
  const files = (user: StageUser, page: Page) => async () =>
    (await composer.read(user, page)).media.map(({ sourceFileName, altText }: File) => [sourceFileName, altText]);

  const uploaded = (page: Page) => page.getByRole('list', { name: 'Uploads' }).waitFor({ state: 'detached' });

  test('are cropped in place, moved and removed, with undo', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['bluesky', 'instagram'] });
    const stored = files(user, page);
    await composer.begin(page, ['Bluesky', 'Instagram'], 'Two pictures');
    await composer.addMedia(page, await aPicture('fire.png', '#c22'), await aPicture('sea.png', '#26c'));
    await page.getByLabel('Alt text').first().fill('A fire');
    await page.getByLabel('Alt text').last().fill('The sea');
    await page.getByLabel('Alt text').last().blur();
    const both = [
      ['fire.png', 'A fire'],
      ['sea.png', 'The sea'],
    ];
    await eventually(stored, both);

    await page.getByRole('button', { name: 'Crop fire.png' }).click();
    const dialog = page.getByRole('dialog', { name: 'Crop' });
    await dialog.getByText('4:5').click();
    await dialog.getByRole('slider', { name: 'Zoom' }).focus();
    await page.keyboard.press('ArrowRight');
    await inspect(page, 'composer-crop');
    await dialog.getByRole('button', { name: 'Crop' }).click();
    const cropped = [['fire-cropped.jpg', 'A fire'], both[1]];
    await eventually(stored, cropped);
    await uploaded(page);

    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await eventually(stored, both);
    await uploaded(page);
    await page.getByRole('button', { name: 'Redo' }).click();
    await eventually(stored, cropped);
    await uploaded(page);

    // Move a file by keyboard: pick up, arrow, drop.
    await page.getByRole('button', { name: 'Move fire-cropped.jpg, 1 of 2' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('fire-cropped.jpg moved to 1 of 2.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowRight');
    await page.getByText('fire-cropped.jpg moved to 2 of 2.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await eventually(stored, cropped.toReversed());
    await page.getByRole('button', { name: 'Remove sea.png' }).click();
    await eventually(stored, [cropped[0]]);
    await undo.click();
    await eventually(stored, cropped.toReversed());
    await uploaded(page);
    await undo.click();
    await eventually(stored, cropped);
    expect(await composer.textField(page).inputValue()).toBe('Two pictures');
  });

  test('are pasted, dropped and added by URL, cancelled and retried', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await composer.begin(page, ['Mastodon'], 'Files from everywhere');
    const { buffer } = await aPicture('any.png', '#282');
    const give = (kind: 'paste' | 'drop', name: string) =>
      page.evaluate(`{
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(${JSON.stringify([...buffer])});
        transfer.items.add(new File([bytes], '${name}', { type: 'image/png' }));
        const Kind = ${kind === 'paste' ? 'ClipboardEvent' : 'DragEvent'};
        const init = { bubbles: true, cancelable: true, clipboardData: transfer, dataTransfer: transfer };
        document.body.dispatchEvent(new Kind('${kind}', init));
      }`);
    const names = async () => (await files(user, page)()).map(([name]: [string]) => name);
    await give('paste', 'pasted.png');
    await eventually(names, ['pasted.png']);
    await give('drop', 'dropped.png');
    await eventually(names, ['pasted.png', 'dropped.png']);
    await page.getByRole('button', { name: 'Remove dropped.png' }).waitFor();

    // The storage rejects the first attempt.
    const storage = (url: URL) => url.pathname.includes('/uploads/') || url.search.includes('signature');
    await page.route(
      (url) => storage(url),
      (route) => (route.request().method() === 'PUT' ? route.fulfill({ status: 403, body: '{}' }) : route.continue()),
    );
    await give('drop', 'refused.png');
    const tryAgain = page.getByRole('button', { name: 'Try again: refused.png' });
    await tryAgain.waitFor();
    await page.unrouteAll();
    await tryAgain.click();
    await eventually(names, ['pasted.png', 'dropped.png', 'refused.png']);

    // A cancelled upload is never attached.
    await page.route(storage, () => {});
    await give('paste', 'unwanted.png');
    await page.getByRole('button', { name: 'Cancel unwanted.png' }).click();
    await page.getByText('unwanted.png').waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    await page.getByRole('button', { name: 'Media from link' }).click();
    await page.getByLabel('Image or video URL').fill('https://pictures.invalid/harbour.png');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Try again: harbour.png' }).waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Remove harbour.png' }).click();
    await eventually(names, ['pasted.png', 'dropped.png', 'refused.png']);
  });
});
