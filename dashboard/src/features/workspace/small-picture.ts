/** Twice the size that the service stores, so that a photo of any size is a small upload. */
const side = 256;

/** The center of a picture, small. Throws if the browser can't read it. */
export async function smallPicture(file: File): Promise<{ url: string; base64: string }> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const cut = Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d')!;
  context.drawImage(bitmap, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, side, side);
  bitmap.close();
  // With transparency, as logos have it.
  const url = canvas.toDataURL('image/png');
  return { url, base64: url.slice(url.indexOf(',') + 1) };
}
