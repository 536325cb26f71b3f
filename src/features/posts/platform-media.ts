import { z } from 'zod';
import { Problem } from '../../foundation/errors/index.ts';
import { mediaLimits } from '../../foundation/errors/media.ts';
import { postLimits } from '../../foundation/errors/posts.ts';
import { boundedRecord } from '../../foundation/http/requests/bounded-record.ts';
import { isId } from '../../foundation/lib/ids.ts';

const invalid = 'platform_media_invalid';

const listOfFiles = z
  .array(z.string({ error: invalid }).refine(isId, invalid).toLowerCase(), { error: invalid })
  .max(mediaLimits.filesPerPost, { error: invalid, abort: true })
  .refine((ids) => new Set(ids).size === ids.length, invalid);

/** In requests: the files of individual connections, by connection id. */
export const PlatformMedia = boundedRecord(listOfFiles.nullable(), postLimits.platforms, invalid).optional();

/** Throws if a list names a file that is not among these, the files of the post. */
export function requireFilesOfPost(
  sent: Readonly<Record<string, readonly string[] | null>>,
  mediaIds: readonly string[],
) {
  const known = new Set(mediaIds);
  const unknown = Object.values(sent)
    .flatMap((ids) => ids ?? [])
    .find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw new Problem('platform_media_file_unknown', {
    error: `platformMedia names the file ${unknown}, which is not a file of this post`,
  });
}
