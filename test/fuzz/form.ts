import type { Random } from '../chaos/random.ts';
import { flatWebp } from '../support/files/bombs.ts';

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const files: readonly Buffer[] = [
  png,
  flatWebp(640, 360),
  flatWebp(16_000, 16_000),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  Buffer.from('%PDF-1.4\n%%EOF'),
  Buffer.alloc(0),
  Buffer.concat([png.subarray(0, 40), Buffer.alloc(200_000, 7)]),
  Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), Buffer.alloc(50_000, 1)]),
];
const fileNames = [
  'a.png',
  '../../a.png',
  'a".png',
  'a\0.png',
  'x'.repeat(5000),
  '',
  '<b>.svg',
  'ü😀.mp4',
  'a.png; x=y',
];
const edge = '----crier';

export const aFile = (random: Random): Buffer => random.pick(files);

/** A multipart body, often broken, with its content type. */
export function formBody(fields: Record<string, unknown>, random: Random): { type: string; body: Buffer } {
  const pieces: Buffer[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (random.chance(0.08)) continue;
    const isFile = typeof value === 'string' && value.startsWith('(the bytes');
    pieces.push(part(random.chance(0.05) ? 'x' : name, isFile ? null : String(value), random));
  }
  const fault = random.chance(0.5) ? -1 : random.below(8);
  if (fault === 0) pieces.push(...Array.from({ length: 2000 }, (_, i) => part(`field${i}`, 'x', random)));
  if (fault === 1) pieces.push(part('x'.repeat(20_000), 'y'.repeat(100_000), random));
  if (fault === 2) pieces.push(part('__proto__', 'y', random), part('constructor', 'y', random));
  if (fault === 3) pieces.push(...Array.from({ length: 5 }, () => part('video', null, random)));
  if (fault === 4)
    pieces.unshift(Buffer.from(`--${edge}\r\ncontent-type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n--b--\r\n`));
  const end = Buffer.from(fault === 5 ? `--${edge}` : `--${edge}--\r\n`);
  const whole = Buffer.concat([...pieces, end]);
  const boundary = fault === 6 ? random.pick(['', 'other', 'x'.repeat(300), '"']) : edge;
  const body = fault === 7 ? whole.subarray(0, random.below(whole.length)) : whole;
  return { type: random.chance(0.03) ? 'multipart/form-data' : `multipart/form-data; boundary=${boundary}`, body };
}

/** A field, or a file if there is no text. */
function part(name: string, text: string | null, random: Random): Buffer {
  const fileName = text === null ? `; filename="${random.pick(fileNames)}"` : '';
  const type = text === null ? `\r\ncontent-type: ${random.pick(['image/png', 'video/mp4', 'text/html', ''])}` : '';
  const head = `--${edge}\r\ncontent-disposition: form-data; name="${name}"${fileName}${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), text === null ? aFile(random) : Buffer.from(text), Buffer.from('\r\n')]);
}
