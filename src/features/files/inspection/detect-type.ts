import { type Bytes, wrapInternalErrors } from './bytes.ts';
import { type FileType, InspectionError } from './inspection.ts';

/** Maps the names of `file-type` to the names used in platform limits. */
const accepted: Record<string, FileType> = {
  'image/jpeg': image('jpeg'),
  'image/png': image('png'),
  'image/apng': image('png'),
  'image/gif': image('gif'),
  'image/webp': image('webp'),
  'image/tiff': image('tiff'),
  'image/bmp': image('bmp'),
  'video/mp4': { kind: 'video', mimeType: 'video/mp4', format: 'mp4' },
  'video/x-m4v': { kind: 'video', mimeType: 'video/mp4', format: 'mp4' },
  'video/quicktime': { kind: 'video', mimeType: 'video/quicktime', format: 'mov' },
  'video/webm': { kind: 'video', mimeType: 'video/webm', format: 'webm' },
  'video/matroska': { kind: 'video', mimeType: 'video/x-matroska', format: 'mkv' },
  'video/vnd.avi': { kind: 'video', mimeType: 'video/x-msvideo', format: 'avi' },
  'application/pdf': { kind: 'document', mimeType: 'application/pdf', format: 'pdf' },
};

const acceptedTypes =
  'Send a JPEG, PNG, GIF, WebP, AVIF, HEIC, TIFF or BMP image, an MP4, MOV, WebM, MKV or AVI video, or a PDF.';

/** The most that `file-type` reads of an accepted file. It would read more of an archive. */
const maxBytesRead = 1_048_576;

export async function detectType(bytes: Bytes): Promise<FileType> {
  if (bytes.size === 0) refuse('The file is empty.');
  const head = await bytes.read(0, 4_096);
  const text = Buffer.from(head).toString('latin1');
  const named = await nameOf(bytes);
  const still = stillImage(head);
  if (still) return still;
  // A truncated TIFF lacks the directory at its end by which `file-type` recognizes it.
  if (!named && /^(II\*\0|MM\0\*)/.test(text.slice(0, 4))) return image('tiff');
  const type = named && Object.hasOwn(accepted, named.mime) ? accepted[named.mime] : null;
  if (type) return type;
  if (/<svg/i.test(text)) refuse('SVG images are not accepted. Export the image as PNG or JPEG.');
  if (/<!doctype html|<html|<head|<body|<script/i.test(text)) refuse('This is a web page, not a media file.');
  if (named) refuse(`Files of type ${named.ext.toUpperCase()} are not accepted. ${acceptedTypes}`);
  return refuse(`The type of this file cannot be detected from its content. ${acceptedTypes}`);
}

/** HEIC, HEIF and AVIF share a container and often the first brand, so all brands are considered. */
function stillImage(head: Uint8Array): FileType | null {
  const buffer = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (buffer.toString('latin1', 4, 8) !== 'ftyp') return null;
  const brands = buffer.toString('latin1', 8, Math.min(buffer.readUInt32BE(0), 256)).match(/.{4}/gs) ?? [];
  const isOneOf = (names: string) => names.split(' ').includes(brands[0] ?? '');
  if (!isOneOf('mif1 mif2 msf1 heic heix heim heis hevc hevx avif avis')) return null;
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return image('avif');
  return brands.some((brand) => /^he[iv]/.test(brand)) ? image('heic') : image('heif');
}

async function nameOf(bytes: Bytes): Promise<{ mime: string; ext: string } | null> {
  const { fileTypeFromBlob } = await wrapInternalErrors(() => import('file-type'));
  const start = bytes.bytesRead;
  const slice = (from: number, to: number) => ({
    async arrayBuffer() {
      if (bytes.bytesRead - start > maxBytesRead) throw new TooDeep();
      return (await bytes.read(from, to)).buffer;
    },
  });
  try {
    // `file-type` uses nothing else of a blob. It reads ranges without loading the whole file.
    return (await fileTypeFromBlob({ size: bytes.size, type: '', slice } as unknown as Blob)) ?? null;
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

class TooDeep extends Error {}

function image(format: string): FileType {
  return { kind: 'image', mimeType: `image/${format}`, format };
}

function refuse(message: string): never {
  throw new InspectionError('MEDIA_FILE_INDETERMINATE_TYPE', message);
}
