import { stat, writeFile } from 'node:fs/promises';
import { stripMetadata } from '../stripping/strip-metadata.ts';
import { isTurned } from './decode-image.ts';

/**
 * The image at this path with the same pixels but without metadata, which can reveal where and by whom it was taken.
 * Returns the file itself if it has none, otherwise a copy next to it. Null if the image must be re-encoded, because
 * viewers have to rotate it or its structure cannot be parsed.
 */
export async function withoutMetadata(path: string, mimeType: string): Promise<{ path: string; bytes: number } | null> {
  if (await isTurned(path)) return null;
  await using stripped = await stripMetadata(path, mimeType).catch(() => undefined);
  if (stripped === undefined) return null;
  if (!stripped) return { path, bytes: (await stat(path)).size };
  const copy = `${path}.stripped`;
  await writeFile(copy, stripped.stream());
  return { path: copy, bytes: stripped.bytes };
}
