import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../../app.ts';
import { type EgressCode, EgressError } from '../../../foundation/egress/egress-error.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { linkedinLimits } from '../../../foundation/errors/linkedin.ts';
import { temporaryFolder } from '../../../foundation/system/temporary-folder.ts';
import { inspect } from '../../files/inspection/inspect.ts';
import { type ImageInspection, type Inspection, InspectionError } from '../../files/inspection/inspection.ts';
import { conversions, toGif, toJpeg } from '../../files/renditions/decode-image.ts';
import { withoutMetadata } from '../../files/renditions/without-metadata.ts';

const maxBytes = linkedinLimits.imageBytes;
const types: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif']);
const fetchMs = 20_000;
const turnMs = 10_000;

/** A temporary file on the local disk. Disposing deletes it. */
export interface CommentImage extends AsyncDisposable {
  readonly blob: Blob;
}

/** Fetches, inspects and cleans the image (contract.md#linkedin-comments.image). Throws Problem. */
export async function fetchCommentImage(
  { egress }: Pick<App, 'egress'>,
  { ownerId }: { ownerId: string },
  url: string,
): Promise<CommentImage> {
  const folder = await temporaryFolder('comment');
  try {
    const path = join(folder.path, 'image');
    await download(egress, url, path);
    const image = await clean(path, checked(await inspectFile(path, ownerId)), ownerId);
    const blob = await openAsBlob(image.path, { type: image.mimeType });
    return { blob, [Symbol.asyncDispose]: () => folder.remove() };
  } catch (error) {
    await folder.remove();
    throw explain(error);
  }
}

async function download(egress: App['egress'], url: string, path: string) {
  const response = await egress.request(url, { timeoutMs: fetchMs, maxBytes });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Problem('linkedin_image_not_fetched', { details: `The URL returned HTTP ${response.status}` });
  }
  await using file = await open(path, 'wx');
  for await (const chunk of response.body) await file.writeFile(chunk);
}

async function inspectFile(path: string, owner: string): Promise<Inspection> {
  const blob = await openAsBlob(path);
  const read = async (start: number, end: number) => new Uint8Array(await blob.slice(start, end).arrayBuffer());
  return inspect({ owner, size: blob.size, read, stream: () => blob.stream() });
}

function checked(inspection: Inspection): ImageInspection {
  if (inspection.kind !== 'image' || !types.has(inspection.mimeType)) throw new Problem('linkedin_image_type_refused');
  const { width, height, frames } = inspection;
  if (width * height >= linkedinLimits.imagePixels) throw new Problem('linkedin_image_too_many_pixels');
  if (frames > linkedinLimits.imageFrames) throw new Problem('linkedin_image_too_many_frames');
  return inspection;
}

/** Makes the image upright and removes its metadata, because it will be public. */
async function clean(path: string, { mimeType, frames }: ImageInspection, owner: string) {
  using turn = await conversions.acquire(owner, turnMs);
  if (!turn) throw new Problem('probe_busy');
  const stripped = await withoutMetadata(path, mimeType);
  if (stripped) return { path: stripped.path, mimeType };
  const made = frames > 1 ? await toGif(path, maxBytes) : await toJpeg(path, { maxBytes });
  if (!made) throw new Problem('linkedin_image_type_refused');
  return { path: made.path, mimeType: frames > 1 ? 'image/gif' : 'image/jpeg' };
}

const refusals: Partial<Record<EgressCode, ProblemKey>> = {
  invalid_url: 'linkedin_image_url_refused',
  protocol: 'linkedin_image_url_refused',
  credentials: 'linkedin_image_url_refused',
  port: 'linkedin_image_url_refused',
  blocked_host: 'linkedin_image_url_refused',
  too_large: 'linkedin_image_too_large',
};
const busy: Record<string, ProblemKey> = { PROBE_BUSY: 'probe_busy', PROBE_TIMEOUT: 'probe_timeout' };

function explain(error: unknown): unknown {
  if (error instanceof EgressError) {
    return new Problem(refusals[error.code] ?? 'linkedin_image_not_fetched', { details: error.message });
  }
  if (error instanceof InspectionError) {
    return new Problem(busy[error.code] ?? 'linkedin_image_type_refused', { details: error.message });
  }
  return error;
}
