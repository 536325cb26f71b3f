/** Photos and videos straight from an iPhone, which most networks and browsers can't read. */

const advice = 'On the iPhone, choose Settings → Camera → Formats → Most Compatible, or share the photo as JPEG.';

/** A file that isn't uploaded. The message says why, and what to do. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

/** The file to upload: a HEIC photo as JPEG, anything else unchanged. Throws if the browser can't read the photo. */
export async function prepareFile(file: File): Promise<File> {
  if (!(await isHeic(file))) return file;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) {
    throw new UnusableFileError(`${file.name} is a HEIC photo, which this browser can’t convert to JPEG. ${advice}`);
  }
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  picture.close();
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 });
  return new File([jpeg], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' });
}

/** By its content, because phones and file managers often give no type. */
export async function isHeic(file: Blob): Promise<boolean> {
  const brands = /^(?:.{4})ftyp(.{4}).{4}(.*)$/s.exec(latin1(await file.slice(0, 64).arrayBuffer()));
  if (!brands) return false;
  const [, major = '', compatible = ''] = brands;
  if (/avi[fs]/.test(major + compatible)) return false;
  return /^(hei[cxms]|hev[cx]|mif1|msf1)/.test(major);
}

const maxIndexBytes = 16 * 1024 * 1024;
const maxBoxes = 100;

/** Whether the video is encoded as HEVC (H.265), as iPhones do by default. Reads only the video's index. */
export async function isHevc(file: Blob): Promise<boolean> {
  let at = 0;
  for (let box = 0; box < maxBoxes && at + 8 <= file.size; box += 1) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const type = latin1(head.buffer.slice(4, 8));
    const size = sizeOf(head) || file.size - at;
    if (size < 8) return false;
    if (type === 'moov') {
      const index = latin1(await file.slice(at, at + Math.min(size, maxIndexBytes)).arrayBuffer());
      return /stsd.{12}.{0,400}?(hvc1|hev1)/s.test(index);
    }
    at += size;
  }
  return false;
}

/** 1 announces a 64-bit size. 0: up to the end of the file. */
function sizeOf(head: DataView): number {
  const size = head.getUint32(0);
  return size === 1 && head.byteLength === 16 ? Number(head.getBigUint64(8)) : size;
}

const latin1 = (bytes: ArrayBuffer) => new TextDecoder('latin1').decode(bytes);
