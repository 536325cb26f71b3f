import { isObject, type Json } from '../../../http/json.ts';
import { blob, type Check, integer, list, object, text, tooBig, union } from './lexicon.ts';

const imageLimit = 2_000_000;
const cardImageLimit = 1_000_000;
const videoLimit = 300_000_000;
const captionLimit = 20_000;

const datetime = text({ format: 'datetime' });
const atUri = text({ format: 'at-uri' });
const strongRef = object({ uri: atUri, cid: text({ format: 'cid' }) });
const aspectRatio = object({ width: integer(1), height: integer(1) });
const image = blob('image/*', imageLimit);
const tag = text({ maxBytes: 640, maxGraphemes: 64 });

const mediaEmbeds = {
  'app.bsky.embed.images': object({ images: list(object({ image, alt: text() }, { aspectRatio }), 4) }),
  'app.bsky.embed.gallery': object({
    items: list(union({ 'app.bsky.embed.gallery#image': object({ image, alt: text(), aspectRatio }) }), 20),
  }),
  'app.bsky.embed.video': object(
    { video: blob('video/mp4', videoLimit) },
    {
      captions: list(object({ lang: text({ format: 'language' }), file: blob('text/vtt', captionLimit) }), 20),
      alt: text(),
      aspectRatio,
      presentation: text(),
    },
  ),
  'app.bsky.embed.external': object({
    external: object(
      { uri: text({ format: 'uri' }), title: text(), description: text() },
      { thumb: blob('image/*', cardImageLimit), associatedRefs: list(strongRef) },
    ),
  }),
};

const quote = object({ record: strongRef });

const facet = object({
  index: object({ byteStart: integer(0), byteEnd: integer(0) }),
  features: list(
    union({
      'app.bsky.richtext.facet#mention': object({ did: text({ format: 'did' }) }),
      'app.bsky.richtext.facet#link': object({ uri: text({ format: 'uri' }) }),
      'app.bsky.richtext.facet#tag': object({ tag }),
    }),
  ),
});

const post = object(
  { text: text({ maxBytes: 3000, maxGraphemes: 300 }), createdAt: datetime },
  {
    facets: list(facet),
    reply: object({ root: strongRef, parent: strongRef }),
    embed: union({
      ...mediaEmbeds,
      'app.bsky.embed.record': quote,
      'app.bsky.embed.recordWithMedia': object({ record: quote, media: union(mediaEmbeds) }),
    }),
    langs: list(text({ format: 'language' }), 3),
    labels: union({
      'com.atproto.label.defs#selfLabels': object({ values: list(object({ val: text({ maxBytes: 128 }) }), 10) }),
    }),
    tags: list(tag, 8),
  },
);

const reaction = object({ subject: strongRef, createdAt: datetime }, { via: strongRef });

/** The record types that the server validates. Their keys must be TIDs. */
export const recordTypes: Readonly<Record<string, Check>> = {
  'app.bsky.feed.post': (value, path) => post(value, path) ?? checkFacetRanges(value, path),
  'app.bsky.feed.like': reaction,
  'app.bsky.feed.repost': reaction,
  'app.bsky.graph.follow': object({ subject: text({ format: 'did' }), createdAt: datetime }, { via: strongRef }),
  'app.bsky.feed.threadgate': object(
    { post: atUri, createdAt: datetime },
    {
      allow: list(union({ 'app.bsky.feed.threadgate#listRule': object({ list: atUri }) }), 5),
      hiddenReplies: list(atUri, 300),
    },
  ),
  'app.bsky.feed.postgate': object(
    { post: atUri, createdAt: datetime },
    { detachedEmbeddingUris: list(atUri, 50), embeddingRules: list(union({}), 5) },
  ),
};

/**
 * The vendor's server accepts any range, and its apps then show no link. The sandbox is stricter, so that a client that
 * does not count in UTF-8 bytes fails.
 */
function checkFacetRanges(record: Json, path: string): string | undefined {
  if (!isObject(record) || !Array.isArray(record.facets)) return undefined;
  const bytes = Buffer.from(String(record.text));
  const isBoundary = (offset: number) => ((bytes[offset] ?? 0) & 0xc0) !== 0x80;
  for (const [position, facet] of record.facets.entries()) {
    const index = isObject(facet) && isObject(facet.index) ? facet.index : {};
    const [start, end] = [Number(index.byteStart), Number(index.byteEnd)];
    const at = `${path}.facets[${position}].index`;
    if (end > bytes.length) return tooBig('integer', bytes.length, end, `${at}.byteEnd`);
    if (start >= end) return tooBig('integer', end - 1, start, `${at}.byteStart`);
    if (!isBoundary(start) || !isBoundary(end)) return `Expected whole characters (got part of one) at ${at}`;
  }
  return undefined;
}
