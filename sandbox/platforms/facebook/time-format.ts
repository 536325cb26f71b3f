/** The time format of the Graph API: `2026-11-15T09:00:00+0000`. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}
