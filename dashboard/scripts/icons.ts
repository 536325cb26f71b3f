import { mkdir, readFile } from 'node:fs/promises';
import sharp from 'sharp';

/**
 * Draws the icons of the installed app from the mark: `node dashboard/scripts/icons.ts`, after `src/icon.svg` has
 * changed. They are committed, because few builds have a reason to draw them.
 */
const folder = new URL('../public/icons/', import.meta.url);
const mark = await readFile(new URL('../src/icon.svg', import.meta.url), 'utf8');
/** Phones cut their own shape out of a picture whose colour reaches the edges. The mark stays in the inner circle. */
const filled = mark.replace(' rx="8"', '');
const inset = filled
  .replace('viewBox="0 0 32 32"', 'viewBox="-5 -5 42 42"')
  .replace('<rect width="32" height="32"', '<rect x="-6" y="-6" width="44" height="44"');

const icons: [name: string, svg: string, pixels: number][] = [
  ['icon-192', mark, 192],
  ['icon-512', mark, 512],
  ['maskable-192', inset, 192],
  ['maskable-512', inset, 512],
  ['apple-touch-icon', filled, 180],
];
await mkdir(folder, { recursive: true });
for (const [name, svg, pixels] of icons) {
  const file = new URL(`${name}.png`, folder).pathname;
  await sharp(Buffer.from(svg), { density: (72 * pixels) / 32 })
    .resize(pixels, pixels)
    .png({ compressionLevel: 9 })
    .toFile(file);
}
