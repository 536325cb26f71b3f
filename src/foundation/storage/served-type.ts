import { nameInKey } from './storage-key.ts';

/** Types that a browser displays without running anything, with their file extensions. */
const shown: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png', 'apng'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
  'image/tiff': ['tiff', 'tif'],
  'image/bmp': ['bmp'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov', 'qt'],
  'video/webm': ['webm'],
  'video/x-matroska': ['mkv'],
  'video/x-msvideo': ['avi'],
  'application/pdf': ['pdf'],
};

/** Any other type, including SVG, is downloaded as bytes under a name that no browser opens. */
const bytesOnly = 'application/octet-stream';

export interface ServedType {
  contentType: string;
  contentDisposition: string;
}

/** The headers for serving a file of this type, whatever type and name its client gave it. */
export function servedType(key: string, realType: string): ServedType {
  const type = essence(realType);
  const extensions = Object.hasOwn(shown, type) ? shown[type] : undefined;
  const name = withExtension(nameInKey(key), extensions ?? ['bin']);
  return {
    contentType: extensions ? type : bytesOnly,
    contentDisposition: `${extensions ? 'inline' : 'attachment'}; filename="${name}"`,
  };
}

/** A type for a bucket that browsers read directly: any type that can hold scripts becomes plain bytes. */
export const inertType = (contentType: string): string =>
  /svg|xml|html|script/.test(essence(contentType)) ? bytesOnly : contentType;

const essence = (contentType: string) => contentType.split(';')[0]!.trim().toLowerCase();

function withExtension(name: string, extensions: readonly [string, ...string[]]): string {
  const [, stem = name, extension = ''] = /^(.+)\.([A-Za-z0-9]{1,10})$/.exec(name) ?? [];
  return extensions.includes(extension.toLowerCase()) ? name : `${stem}.${extensions[0]}`;
}
