import type { Cut } from '../../lib/split-thread.ts';
import type { CountingUnit } from '../../lib/text-length.ts';

/** Plain data, so that validation, the dashboard's counter, the docs and MCP clients read the same numbers. */
export interface Limits {
  readonly text: TextLimit;
  readonly images: ImageLimit | null;
  readonly video: VideoLimit | null;
  readonly documents: DocumentLimit | null;
  readonly thumbnails: ThumbnailLimit | null;
  /** Images and video in one post. */
  readonly mixed: boolean;
  readonly mediaRequired: boolean;
  readonly videoRequired: boolean;
  /** How a text that is too long is cut into a chain of posts, best place first. Null: it is not. */
  readonly threads: { readonly cuts: readonly Cut[] } | null;
  /** Null: no first comment there. */
  readonly firstComment: FirstCommentLimit | null;
}

export interface TextLimit {
  readonly max: number;
  /** For those who pay the network, or who use a special form of post. */
  readonly premium: number | null;
  readonly unit: CountingUnit;
  /** What one link counts, however long it is. */
  readonly urlLength?: number;
  /** In UTF-8, on top of `max`. */
  readonly maxBytes?: number;
  readonly maxHashtags?: number;
  readonly maxLinks?: number;
  /** Beside media. What is longer goes out as a message of its own. */
  readonly captionMax?: number;
}

export interface MediaLimit {
  readonly max: number;
  readonly types: readonly string[];
  readonly maxBytes: number;
}

/** Of width to height. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface ImageLimit extends MediaLimit {
  readonly aspect?: Range;
  /** Width times height. */
  readonly maxPixels?: number;
  /** What the network itself takes, where that is less than we accept: the rest is made into JPEG, or made smaller. */
  readonly rendition?: { readonly types: readonly string[]; readonly maxSide?: number };
}

export interface VideoLimit extends MediaLimit {
  readonly minSeconds: number | null;
  readonly maxSeconds: number;
  readonly aspect: Range | null;
  readonly minFramesPerSecond?: number;
  /** Where other numbers hold for one kind of video. What a variant does not say is as above. */
  readonly variants?: Readonly<Partial<Record<VideoKind, VideoVariant>>>;
}
/** `carousel`: one of several items in a post. */
export type VideoKind = 'feed' | 'reels' | 'stories' | 'carousel';
export interface VideoVariant {
  readonly minSeconds?: number;
  readonly maxSeconds: number;
  readonly maxBytes?: number;
}

export interface DocumentLimit extends MediaLimit {
  readonly maxPages: number;
}

/** The picture that stands for a video. */
export interface ThumbnailLimit {
  readonly types: readonly string[];
  readonly maxBytes: number;
  readonly minWidth?: number;
  readonly minHeight?: number;
  readonly recommendedWidth?: number;
  readonly recommendedHeight?: number;
}

export interface FirstCommentLimit {
  readonly max: number;
  /** For connections whose account pays the network. */
  readonly premium?: number;
  readonly unit: CountingUnit;
  /** What the unit is called in an answer. */
  readonly label: 'weighted characters' | 'characters' | 'code points' | 'graphemes';
  readonly maxBytes?: number;
}
