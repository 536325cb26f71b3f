import type { Call } from '../../../platform.ts';
import type { Media } from '../../../store/media.ts';
import { mediaKinds } from './kinds.ts';

/** How long an upload can wait for its post. */
export const lifeSeconds = 24 * 60 * 60;
const startedPercent = 20;
const apiTypes = { image: 'photo', gif: 'animated_gif', video: 'video', audio: 'video', document: 'photo' } as const;

export const mediaFields = [
  'alt_text',
  'duration_ms',
  'height',
  'media_key',
  'non_public_metrics',
  'preview_image_url',
  'public_metrics',
  'type',
  'url',
  'variants',
  'width',
];

export function mediaKey(media: Media): string {
  return keyOf(String(media.data.category), media.id);
}

export function keyOf(category: string, id: string): string {
  return `${mediaKinds[category]?.keyPrefix ?? 3}_${id}`;
}

export function isExpired(media: Media, now: number): boolean {
  return media.createdAt + lifeSeconds * 1000 <= now;
}

/** The response to an upload. */
export function presentUpload(call: Call, media: Media) {
  const processing_info = processingInfo(call, media);
  const { width: w, height: h } = media.data;
  return {
    id: media.id,
    media_key: mediaKey(media),
    size: media.bytes,
    expires_after_secs: lifeSeconds,
    ...(media.kind === 'video'
      ? { video: { video_type: media.type } }
      : { image: { image_type: media.type, w: w ?? null, h: h ?? null } }),
    ...(processing_info && { processing_info }),
  };
}

/** Undefined for media that need no processing. */
export function processingInfo(call: Call, media: Media) {
  if (!mediaKinds[String(media.data.category)]?.isProcessed) return undefined;
  const state = call.sandbox.store.media.state(media);
  if (state === 'ready') return { state: 'succeeded', progress_percent: 100 };
  if (state === 'failed') return { state: 'failed', progress_percent: 100, error: media.data.failure };
  const now = call.sandbox.now();
  const progress_percent = Math.floor((100 * (now - media.createdAt)) / (media.readyAt - media.createdAt));
  const check_after_secs = Math.max(1, Math.ceil((media.readyAt - now) / 1000));
  if (progress_percent < startedPercent) return { state: 'pending', check_after_secs };
  return { state: 'in_progress', check_after_secs, progress_percent };
}

/** An entry of `includes.media`. */
export function presentMedia(media: Media, fields: readonly string[]) {
  const address = `https://pbs.twimg.com/media/${media.id}`;
  const parts: Record<string, unknown> = {
    alt_text: media.description ?? undefined,
    width: media.data.width ?? undefined,
    height: media.data.height ?? undefined,
    ...(media.kind === 'image' ? { url: `${address}.${extensionOf(media)}` } : { preview_image_url: `${address}.jpg` }),
    ...(media.kind === 'video' && { public_metrics: { view_count: 0 } }),
  };
  const asked = fields.filter((name) => parts[name] !== undefined).map((name) => [name, parts[name]]);
  return { media_key: mediaKey(media), type: apiTypes[media.kind], ...Object.fromEntries(asked) };
}

function extensionOf(media: Media): string {
  return media.type.split('/')[1]?.replace('jpeg', 'jpg') ?? 'bin';
}
