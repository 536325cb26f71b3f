import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  bytes: number;
  freeBytes: number;
}

/** The file system that holds this folder. Null if the folder does not exist. */
export async function diskSpace(folder: string): Promise<DiskSpace | null> {
  const found = await statfs(folder).catch(() => null);
  return found && { bytes: found.blocks * found.bsize, freeBytes: found.bavail * found.bsize };
}
