import type { ListedMedia } from '@crier/client';

/** `1.4 MB · 1920 × 1080 · 0:42`: size, dimensions and duration of a file. */
export function factsOf({ bytes, width, height, durationSeconds }: Facts): string {
  const facts = [formatBytes(bytes)];
  if (width !== null && height !== null) facts.push(`${width} × ${height}`);
  if (durationSeconds !== null) facts.push(formatDuration(durationSeconds));
  return facts.join(' · ');
}

type Facts = Pick<ListedMedia, 'bytes' | 'width' | 'height' | 'durationSeconds'>;

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 10 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** `0:07`, `12:30`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
