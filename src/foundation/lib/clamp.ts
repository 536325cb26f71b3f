/** Zero or anything that is not a number becomes the default; a number out of range becomes the nearest in range. */
export function clamp(text: string | undefined, standard: number, min: number, max: number): number {
  const number = Math.trunc(Number(text));
  if (!text || Number.isNaN(number) || number === 0) return standard;
  return Math.min(Math.max(number, min), max);
}
