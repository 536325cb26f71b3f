/** The current frame of the video as a JPEG. */
export async function frameOf(video: HTMLVideoElement): Promise<File> {
  if (video.seeking || video.readyState < video.HAVE_CURRENT_DATA) await seeked(video);
  const { width, height } = coverSize(video.videoWidth, video.videoHeight);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return new File([blob], 'cover.jpg', { type: 'image/jpeg' });
}

const seeked = (video: HTMLVideoElement) =>
  new Promise<void>((resolve, reject) => {
    video.addEventListener(video.seeking ? 'seeked' : 'loadeddata', () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error('Your browser can’t read this video.')), { once: true });
  });

/** YouTube's minimum, and a size that is sharp enough everywhere. */
const [minWidth, minHeight, maxSide] = [640, 360, 1920];

/** Scales small frames up and very large ones down, keeping the ratio. */
export function coverSize(width: number, height: number): { width: number; height: number } {
  const least = Math.max(minWidth / width, minHeight / height);
  const scale = Math.max(least, Math.min(1, maxSide / Math.max(width, height)));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
