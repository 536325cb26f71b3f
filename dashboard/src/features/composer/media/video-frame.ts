import { coverSize } from './cover-size.ts';

/** The frame that the video shows now, as a JPEG. */
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
    video.addEventListener('error', () => reject(new Error('The browser cannot read the video.')), { once: true });
  });
