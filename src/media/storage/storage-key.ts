import { randomBytes } from 'node:crypto';

const folders = { image: 'images', video: 'videos', document: 'documents' } as const;
export type MediaType = keyof typeof folders;

/** File systems hold 255 bytes per name, and ours has a prefix and, for the content type, a suffix. */
const maxNameLength = 200;

const pattern = /^(?:images|videos|documents)\/\d{1,15}-\d{1,6}-[0-9a-f]{8}-[\w.-]{1,200}$/;

/** `images/<ms>-<n>-<8hex>-<name>`; `n` is the file's place among those of one request. */
export function storageKey(type: MediaType, name: string, now: Date, n: number): string {
  return `${folders[type]}/${now.getTime()}-${n}-${randomBytes(4).toString('hex')}-${cleanFileName(name) || 'file'}`;
}

/** The only form of key that any storage accepts: nothing in it can lead out of a folder or needs encoding in a URL. */
export function isStorageKey(text: string): boolean {
  return pattern.test(text);
}

export function assertStorageKey(text: string) {
  if (!isStorageKey(text)) throw new Error(`Not a storage key: ${JSON.stringify(text.slice(0, 300))}`);
}

/** The file's name, as its sender called it. */
export function nameInKey(key: string): string {
  return key.replace(/^\w+\/\d+-\d+-[0-9a-f]{8}-/, '');
}

/** As the contract says: spaces become `_`, what is neither letter, digit, `_`, `.` nor `-` goes. Empty if nothing is left. */
export function cleanFileName(name: string): string {
  const clean = name
    .trim()
    .replaceAll(' ', '_')
    .replace(/[^A-Za-z0-9_.-]/g, '');
  if (clean.length <= maxNameLength) return clean;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(clean)?.[0] ?? '';
  return clean.slice(0, maxNameLength - extension.length) + extension;
}
