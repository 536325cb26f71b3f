/** What YouTube takes at least, and what is sharp enough everywhere. */
const [leastWidth, leastHeight, mostSide] = [640, 360, 1920];

/** A small frame is made larger, a very large one smaller. The ratio stays. */
export function coverSize(width: number, height: number): { width: number; height: number } {
  const least = Math.max(leastWidth / width, leastHeight / height);
  const scale = Math.max(least, Math.min(1, mostSide / Math.max(width, height)));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
