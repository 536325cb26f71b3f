import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { StageUser } from './stage.ts';

/** The parts of the composer that journeys use, by their accessible names. */
export const composer = {
  textField: (page: Page) => page.getByLabel('Post text'),
  preview: (page: Page) => page.getByRole('region', { name: 'Preview' }),
  channel: (page: Page, network: string) =>
    page.getByRole('group', { name: 'Post to' }).getByRole('button', { name: network }),
  saved: (page: Page) => page.getByText(/^Saved \d/).waitFor(),
  postIn: (page: Page) => new URL(page.url()).pathname.split('/')[2]!,

  async begin(page: Page, networks: readonly string[], text: string) {
    await page.goto('/compose');
    for (const network of networks) await composer.channel(page, network).click();
    await composer.textField(page).fill(text);
    await composer.saved(page);
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
  },

  async addMedia(page: Page, ...files: readonly Chosen[]) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add media' }).click();
    await (await chooser).setFiles([...files]);
    for (const { name } of files) await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  },

  /** The checks and saves that the service refuses from now on. */
  refusals(page: Page): readonly string[] {
    const refused: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const isOurs = /\/(validate-post|update-post|create-post|drafts)\b/.test(pathname);
      if (isOurs && response.status() >= 400) refused.push(`${response.status()} ${pathname}`);
    });
    return refused;
  },

  read: async (user: StageUser, page: Page) => (await user.call('GET', `/get-post/${composer.postIn(page)}`)).body,
};

export interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export async function aPicture(name: string, background: string, size = { width: 640, height: 480 }): Promise<Chosen> {
  const buffer = await sharp({ create: { ...size, channels: 3, background } })
    .png()
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** Polls until the value matches. */
export const eventually = (read: () => Promise<unknown>, expected: unknown) =>
  expect.poll(read, { timeout: 20_000 }).toEqual(expected);
