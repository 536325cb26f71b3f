import type { Counting } from '../../foundation/text/length.ts';
import type { Cut } from '../../foundation/text/split-thread.ts';

/** Limits are plain data, so that validation, the dashboard's counter, the docs and MCP clients read the same numbers. */
export interface Limits {
  readonly text: TextLimit;
  readonly images: ImageLimit | null;
  readonly video: VideoLimit | null;
  readonly documents: DocumentLimit | null;
  readonly thumbnails: ThumbnailLimit | null;
  /** Null: the platform accepts no alt text. */
  readonly altText: AltTextLimit | null;
  /** Whether one post can have images and videos. */
  readonly mixed: boolean;
  readonly mediaRequired: boolean;
  readonly videoRequired: boolean;
  /** Where to split a text that is too long into a thread, best place first. Null: it is not split. */
  readonly threads: { readonly cuts: readonly Cut[] } | null;
  /** Null: the platform accepts no first comments. */
  readonly firstComment: FirstCommentLimit | null;
}

/** Shared by most platforms. A platform's own limits list only the differences. */
export const commonLimits = {
  documents: null,
  thumbnails: null,
  altText: null,
  mixed: false,
  mediaRequired: false,
  videoRequired: false,
  threads: null,
  firstComment: null,
} as const satisfies Partial<Limits>;

export interface TextLimit extends Counting {
  readonly max: number;
  /** The limit of paying accounts, or of a special form of post. */
  readonly premium: number | null;
  /** The platform's own length for a link, if the rule counts links as written. Only for display. */
  readonly shownUrlLength?: number;
  /** In UTF-8, in addition to `max`. */
  readonly maxBytes?: number;
  readonly maxHashtags?: number;
  readonly maxMentions?: number;
  /** Distinct links. The limit applies to each part of a thread. */
  readonly maxLinks?: number;
  /** The limit of a text next to media. A longer text is published as a separate message. */
  readonly captionMax?: number;
}

export interface MediaLimit {
  readonly max: number;
  readonly types: readonly string[];
  readonly maxBytes: number;
}

/** A range of width divided by height. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface ImageLimit extends MediaLimit {
  readonly aspect?: Range;
  /** The range for a story, if it differs. */
  readonly storyAspect?: Range;
  /** Width times height. */
  readonly maxPixels?: number;
  /** Width plus height. A still image is scaled down. */
  readonly maxSides?: number;
  /** The longer side divided by the shorter one. */
  readonly maxRatio?: number;
  /** The limit of an animation of this type that is the only file of a post, if it differs. */
  readonly animation?: { readonly type: string; readonly maxBytes: number };
  /** What the platform itself accepts, if we accept more. Other images are converted to JPEG or scaled down. */
  readonly rendition?: { readonly types: readonly string[]; readonly maxSide?: number; readonly maxBytes?: number };
}

export interface VideoLimit extends MediaLimit {
  readonly minSeconds: number | null;
  readonly maxSeconds: number;
  readonly aspect: Range | null;
  readonly framesPerSecond?: Range;
  /** Different limits for some kinds of video. A limit that a variant omits is the one above. */
  readonly variants?: Readonly<Partial<Record<VideoKind, VideoVariant>>>;
}
/** A `carousel` video is one of several items in a post. */
export type VideoKind = 'feed' | 'reels' | 'stories' | 'carousel';
export interface VideoVariant {
  readonly minSeconds?: number;
  readonly maxSeconds: number;
  readonly maxBytes?: number;
}

export interface DocumentLimit extends MediaLimit {
  readonly maxPages: number;
}

/** The image shown for a video. */
export interface ThumbnailLimit {
  readonly types: readonly string[];
  readonly maxBytes: number;
  readonly minWidth?: number;
  readonly minHeight?: number;
  readonly recommendedWidth?: number;
  readonly recommendedHeight?: number;
}

export interface AltTextLimit {
  /** In code points. */
  readonly max: number;
  /** The media kinds for which the platform accepts alt text. It is sent for no others. */
  readonly kinds: readonly ('image' | 'video')[];
}

export interface FirstCommentLimit extends Counting {
  readonly max: number;
  /** The limit of paying accounts. */
  readonly premium?: number;
  /** The name of the unit in a response. */
  readonly label: 'weighted characters' | 'characters' | 'code points' | 'graphemes';
  readonly maxBytes?: number;
}
