import { randomBytes } from 'node:crypto';

const folders = { image: 'images', video: 'videos', document: 'documents' } as const;
export type MediaType = keyof typeof folders;

/** File systems allow 255 bytes per name, and the name gets a prefix and a suffix for its content type. */
const maxNameLength = 200;

const pattern = /^(?:images|videos|documents)\/\d{1,15}-\d{1,6}-[0-9a-f]{8}-[\w.-]{1,200}$/;

/** `images/<ms>-<n>-<8hex>-<name>`, where `n` is the position of the file in its request. */
export function storageKey(type: MediaType, name: string, now: Date, n: number): string {
  return `${folders[type]}/${now.getTime()}-${n}-${randomBytes(4).toString('hex')}-${cleanFileName(name) || 'file'}`;
}

/** The only form of key that a storage accepts. It cannot escape its folder and needs no encoding in a URL. */
export function isStorageKey(text: string): boolean {
  return pattern.test(text);
}

export function assertStorageKey(text: string) {
  if (!isStorageKey(text)) throw new Error(`Not a storage key: ${JSON.stringify(text.slice(0, 300))}`);
}

/** The name that the client gave the file. */
export function nameInKey(key: string): string {
  return key.replace(/^\w+\/\d+-\d+-[0-9a-f]{8}-/, '');
}

/** As the contract requires: spaces become `_`, and only letters, digits, `_`, `.` and `-` remain. May be empty. */
export function cleanFileName(name: string): string {
  const clean = name
    .trim()
    .replaceAll(' ', '_')
    .replace(/[^A-Za-z0-9_.-]/g, '');
  if (clean.length <= maxNameLength) return clean;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(clean)?.[0] ?? '';
  return clean.slice(0, maxNameLength - extension.length) + extension;
}
