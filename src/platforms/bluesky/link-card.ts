import { z } from 'zod';
import { parseUrl } from '../../foundation/lib/parse-url.ts';
import { shorten } from '../../foundation/text/shorten.ts';
import { maxAnswerBytes, PlatformError, type PublishContext } from '../kit/index.ts';
import { type BlobRef, type Credentials, fetchDocument } from './api.ts';
import { firstLinkIn } from './rich-text.ts';
import { uploadBlob } from './upload.ts';

type Ctx = PublishContext<Credentials>;

/** The service that Bluesky's own app uses to preview a page (source read 2026-08). It also scales the image. */
const previewService = 'https://cardyb.bsky.app/v1/extract';
const maxThumbBytes = 1_000_000;
const timeoutMs = 15_000;

/** As much as any app shows. The card is stored with the post. */
const shortened = (text: string) => shorten(text, 1_000);

const Page = z.object({
  title: z.string().max(maxAnswerBytes).min(1).transform(shortened),
  description: z.string().max(maxAnswerBytes).default('').transform(shortened),
  image: z.string().max(maxAnswerBytes).optional(),
});

type Card = {
  $type: 'app.bsky.embed.external';
  external: { uri: string; title: string; description: string; thumb?: BlobRef };
};

/**
 * A preview of the first link in the text, which Bluesky does not create itself. If the page fails, there is no card.
 */
export async function linkCard(step: string, text: string, ctx: Ctx): Promise<Card | null> {
  const uri = firstLinkIn(text);
  return uri === null ? null : ctx.step(step, () => makeCard(uri, ctx), { replayable: true });
}

async function makeCard(uri: string, ctx: Ctx): Promise<Card | null> {
  const address = `${previewService}?${new URLSearchParams({ url: uri })}`;
  const page = await orNull(fetchDocument(Page, address, ctx, AbortSignal.timeout(timeoutMs)), ctx);
  if (!page) return null;
  const { title, description, image } = page;
  const file = image ? await orNull(fetchImage(image, ctx), ctx) : null;
  const thumb = file && (await orNull(uploadBlob(file, file.type, ctx), ctx, failsThePost));
  return { $type: 'app.bsky.embed.external', external: { uri, title, description, ...(thumb && { thumb }) } };
}

async function fetchImage(address: string, ctx: Ctx): Promise<Blob | null> {
  if (!parseUrl(address)) return null;
  const response = await ctx.fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const isFine =
    response.ok && type.startsWith('image/') && Number(response.headers.get('content-length')) <= maxThumbBytes;
  const image = isFine ? await response.blob() : await response.body?.cancel();
  return image && image.size > 0 && image.size <= maxThumbBytes ? new Blob([image], { type }) : null;
}

/** An account problem also fails the post, so that a later run sends the complete card. */
const failsThePost = ({ kind }: PlatformError) => kind === 'auth' || kind === 'rate_limited';

async function orNull<T>(work: Promise<T>, ctx: Ctx, isFatal = (_: PlatformError) => false): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PlatformError) || ctx.signal.aborted || isFatal(error)) throw error;
    return null;
  }
}
