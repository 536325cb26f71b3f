import { open } from 'node:fs/promises';

/** A file that cannot be sent at all. */
export class FileError extends Error {}

export interface LocalFile {
  file: string;
  /** Null: no network accepts it. */
  type: string | null;
  bytes: number;
}

/** Checks before anything is sent that all files exist, and detects their types from their bytes, not their names. */
export async function inspectFiles(files: readonly string[]): Promise<LocalFile[]> {
  return Promise.all(files.map(inspectFile));
}

async function inspectFile(file: string): Promise<LocalFile> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new FileError(`${file} is not a file.`);
    throw error;
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new FileError(`${file} is not a file.`);
    if (found.size === 0) throw new FileError(`${file} is empty.`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return { file, type: typeOf(buffer.toString('latin1', 0, bytesRead)), bytes: found.size };
  } finally {
    await handle.close();
  }
}

type Signature = readonly [type: string, ...parts: (readonly [offset: number, bytes: string])[]];

const signatures: readonly Signature[] = [
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/png', [0, '\x89PNG']],
  ['image/gif', [0, 'GIF8']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/bmp', [0, 'BM']],
  ['application/pdf', [0, '%PDF-']],
  ['video/x-msvideo', [0, 'RIFF'], [8, 'AVI ']],
  ['video/quicktime', [4, 'ftypqt']],
];

function typeOf(head: string): string | null {
  const known = signatures.find(([, ...parts]) => parts.every(([offset, bytes]) => head.startsWith(bytes, offset)));
  if (known) return known[0];
  if (head.startsWith('ftyp', 4)) return containerType(head.slice(8, head.charCodeAt(3) || 64));
  if (head.startsWith('\x1aE\xdf\xa3')) return head.includes('webm') ? 'video/webm' : 'video/x-matroska';
  return null;
}

/** Images and videos share a container format; its brands show which it is. */
function containerType(brands: string): string {
  if (/avi[fs]/.test(brands)) return 'image/avif';
  if (/he[iv][cxms]/.test(brands)) return 'image/heic';
  return /^(mif1|msf1)/.test(brands) ? 'image/heif' : 'video/mp4';
}
