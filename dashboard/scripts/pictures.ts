import { mkdir, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';
import { chromiumPath } from '../test/support/chromium.ts';
import { composer } from '../test/support/composer.ts';
import { test } from '../test/support/journey.ts';
import { isLoaded, type PageOptions, type Stage, setLook } from '../test/support/stage.ts';
import { harbourPhoto, type PictureWorkspace, pictureWorkspace } from './picture-workspace.ts';

/** `npm run pictures` makes the pictures of the README and the docs from the product, with the data of a small café. */
const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const maxBytes = { picture: 150_000, animation: 600_000 };
const desk = { width: 1280, height: 860 };

if (!chromiumPath) throw new Error('Pictures need a browser: install Chromium, or set CHROMIUM to its path.');

let stage: Stage;
let workspace: PictureWorkspace;

test.beforeAll(async ({ stage: opened }) => {
  await mkdir(folder, { recursive: true });
  stage = opened;
  workspace = await pictureWorkspace(stage);
}, 300_000);

afterAll(() => console.log(`The pictures are in ${folder}`));

const scenes: readonly { name: string; path: () => string; width?: number; height?: number }[] = [
  { name: 'calendar', path: () => '/calendar?view=month', height: 985 },
  { name: 'post', path: () => `/posts/${workspace.published}`, height: 1150 },
  { name: 'insights', path: () => '/insights', height: 1060 },
  { name: 'channels', path: () => '/channels' },
  { name: 'phone', path: () => '/calendar?view=list', width: 390, height: 844 },
];

test.each(scenes)('$name', async ({ name, path, ...given }) => {
  const size = { ...desk, ...given };
  const page = await open(size);
  await page.goto(path());
  await page.getByRole('heading').first().waitFor();
  await keepInBothThemes(page, name, size);
  await page.context().close();
});

test('composer', async () => {
  const size = { ...desk, height: 1080 };
  const page = await open(size);
  await write(page);
  await keepInBothThemes(page, 'composer', size);
  await page.context().close();
});

test('from the composer to published, as an animation', { timeout: 300_000 }, async () => {
  const size = { width: 1120, height: 700 };
  const page = await open({ ...size, scale: 1 });
  const frames: { image: Buffer; delay: number }[] = [];
  const shoot = async (delay: number) => {
    await ready(page, 250);
    frames.push({ image: await page.screenshot({ animations: 'disabled', caret: 'hide' }), delay });
  };
  await page.goto('/compose');
  await shoot(900);
  for (const network of ['Mastodon', 'Bluesky', 'LinkedIn', 'Threads']) {
    await composer.channel(page, network).click();
    await shoot(300);
  }
  const text = 'Coffee at the quay: every Sunday from sunrise, until the boats leave.';
  for (let end = 12; end < text.length + 12; end += 12) {
    await composer.textField(page).fill(text.slice(0, end));
    await shoot(200);
  }
  await composer.addMedia(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await harbourPhoto() });
  await composer.saved(page);
  await shoot(1500);
  await page.getByRole('button', { name: 'Publish now' }).click();
  await page.waitForURL(/\/posts\/[0-9a-f]{24}/);
  await shoot(600);
  await page
    .getByText(/^Published on /)
    .nth(3)
    .waitFor();
  await shoot(3500);
  const images = await Promise.all(frames.map(({ image }) => sharp(image).resize({ width: 960 }).png().toBuffer()));
  const animation = await sharp(images, { join: { animated: true } })
    .webp({ quality: 70, effort: 6, loop: 0, delay: frames.map(({ delay }) => delay) })
    .toBuffer();
  await save('compose.webp', animation, maxBytes.animation);
  await page.context().close();
});

const open = (look: PageOptions) => stage.pageOf(workspace.user, { isKept: true, scale: 1.5, ...look });

async function write(page: Page) {
  await page.goto('/compose');
  for (const network of ['Mastodon', 'Bluesky', 'LinkedIn', 'Threads', 'Instagram'])
    await composer.channel(page, network).click();
  await composer
    .textField(page)
    .fill(
      'Our winter blend is back: dark chocolate, orange, a little smoke. From Thursday, by the cup and by the bag.',
    );
  await composer.addMedia(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await harbourPhoto() });
  await page.getByLabel('Alt text').fill('Boats in the harbour at sunrise');
  await page.getByLabel('Date').fill('tomorrow 9');
  await page.keyboard.press('Tab');
  await composer.saved(page);
  await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
}

/** The pictures show what users of a live Crier see, so the note that this is the sandbox is left out. */
async function ready(page: Page, delay = 1000) {
  await isLoaded(page);
  await page.evaluate(
    `for (const note of document.querySelectorAll('button[aria-label="Sandbox"]')) note.style.display = 'none'`,
  );
  await page.evaluate(`Promise.race([
    Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))),
    new Promise((resolve) => setTimeout(resolve, 3000)),
  ]).then(() => undefined)`);
  await page.waitForTimeout(delay);
}

async function keepInBothThemes(page: Page, name: string, size: { width: number; height: number }) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await setLook(page, { ...size, colorScheme });
    await ready(page);
    const image = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const small = await sharp(image).webp({ quality: 82, effort: 6 }).toBuffer();
    await save(`${name}.${colorScheme}.webp`, small, maxBytes.picture);
  }
}

async function save(name: string, image: Buffer, limit: number) {
  await writeFile(`${folder}${name}`, image);
  expect((await stat(`${folder}${name}`)).size, `${name} in bytes`).toBeLessThan(limit);
}
