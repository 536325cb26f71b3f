export interface Sniffed {
  readonly kind: 'image' | 'gif' | 'video' | 'audio';
  readonly type: string;
  /** Null when the header does not contain it. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Detects the type of a file from its first bytes, as the platforms do. `gif` is an animated GIF. */
export function sniff(bytes: Buffer): Sniffed | undefined {
  const ascii = (start: number, end: number) => bytes.toString('latin1', start, end);
  const startsWith = (...signature: number[]) => signature.every((byte, index) => bytes[index] === byte);

  if (startsWith(0x89, 0x50, 0x4e, 0x47)) return image('image/png', readUInt(bytes, 16, 4), readUInt(bytes, 20, 4));
  if (startsWith(0xff, 0xd8, 0xff)) return image('image/jpeg', ...jpegSize(bytes));
  if (ascii(0, 4) === 'GIF8') {
    const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    return { kind: isAnimated(bytes) ? 'gif' : 'image', type: 'image/gif', ...size };
  }
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return image('image/webp', ...webpSize(bytes));
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WAVE') return sound('audio/wav');
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'AVI ') return video('video/x-msvideo');
  if (ascii(0, 2) === 'BM' && bytes.length >= 26) return bitmap(bytes);
  if (startsWith(0x49, 0x49, 0x2a, 0x00) || startsWith(0x4d, 0x4d, 0x00, 0x2a)) return image('image/tiff', null, null);
  if (ascii(4, 8) === 'ftyp') return byBrand(ascii(8, 12));
  if (startsWith(0x1a, 0x45, 0xdf, 0xa3)) {
    return video(bytes.subarray(0, 64).includes('matroska') ? 'video/x-matroska' : 'video/webm');
  }
  if (ascii(0, 4) === 'OggS')
    return bytes.subarray(0, 512).includes('theora') ? video('video/ogg') : sound('audio/ogg');
  if (ascii(0, 4) === 'fLaC') return sound('audio/flac');
  if (ascii(0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)) return sound('audio/mpeg');
  return undefined;
}

function byBrand(brand: string): Sniffed {
  if (brand === 'avif' || brand === 'avis') return image('image/avif', null, null);
  if (['heic', 'heix', 'hevc', 'hevx'].includes(brand)) return image('image/heic', null, null);
  if (brand === 'mif1' || brand === 'msf1') return image('image/heif', null, null);
  if (brand === 'M4A ') return sound('audio/mp4');
  return video(brand === 'qt  ' ? 'video/quicktime' : 'video/mp4');
}

/** The height is negative when the rows run from top to bottom. */
function bitmap(bytes: Buffer): Sniffed {
  return image('image/bmp', bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22)));
}

function image(type: string, width: number | null, height: number | null): Sniffed {
  return { kind: 'image', type, width, height };
}

function video(type: string): Sniffed {
  return { kind: 'video', type, width: null, height: null };
}

function sound(type: string): Sniffed {
  return { kind: 'audio', type, width: null, height: null };
}

function readUInt(bytes: Buffer, offset: number, length: number): number | null {
  return bytes.length >= offset + length ? bytes.readUIntBE(offset, length) : null;
}

/** Each frame has a graphic control extension. */
function isAnimated(bytes: Buffer): boolean {
  const mark = Buffer.from([0x21, 0xf9, 0x04]);
  const first = bytes.indexOf(mark);
  return first !== -1 && bytes.indexOf(mark, first + 3) !== -1;
}

/** The size is in the first start-of-frame segment. */
function jpegSize(bytes: Buffer): [number | null, number | null] {
  let offset = 2;
  while (offset + 9 < bytes.length && bytes[offset] === 0xff) {
    const marker = bytes[offset + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [bytes.readUInt16BE(offset + 7), bytes.readUInt16BE(offset + 5)];
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return [null, null];
}

function webpSize(bytes: Buffer): [number | null, number | null] {
  if (bytes.length < 30) return [null, null];
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}
