/** `2026-11-15T09:00:00+0000`. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}
