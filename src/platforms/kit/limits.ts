import type { Counting } from '../../foundation/text/length.ts';
import type { Cut } from '../../foundation/text/split-thread.ts';

/** Limits are plain data, so that validation, the dashboard's counter, the docs and MCP clients read the same numbers. */
export interface Limits {
  readonly text: TextLimit;
  readonly images: ImageLimit | null;
  readonly video: VideoLimit | null;
  readonly documents: DocumentLimit | null;
  readonly thumbnails: ThumbnailLimit | null;
  /** Null: the platform takes no alt text. */
  readonly altText: AltTextLimit | null;
  /** Whether one post can have images and videos. */
  readonly mixed: boolean;
  readonly mediaRequired: boolean;
  readonly videoRequired: boolean;
  /** Where a text that is too long is split into a thread, best place first. Null: it is not split. */
  readonly threads: { readonly cuts: readonly Cut[] } | null;
  /** Null: the platform takes no first comments. */
  readonly firstComment: FirstCommentLimit | null;
}

/** What most platforms share. A platform's own limits name only where it differs. */
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
  /** What the platform itself counts for one link, where the rule counts links as they are written. Only shown. */
  readonly shownUrlLength?: number;
  /** In UTF-8, in addition to `max`. */
  readonly maxBytes?: number;
  readonly maxHashtags?: number;
  readonly maxMentions?: number;
  /** Different links. The limit holds for each part of a thread. */
  readonly maxLinks?: number;
  /** The limit of a text beside media. A longer text is published as a message of its own. */
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
  /** The range of a story, where it differs. */
  readonly storyAspect?: Range;
  /** Width times height. */
  readonly maxPixels?: number;
  /** Width plus height. An image that does not move is made smaller. */
  readonly maxSides?: number;
  /** The longer side divided by the shorter one. */
  readonly maxRatio?: number;
  /** The limit of an animation of this type that is the only file of a post, where it differs. */
  readonly animation?: { readonly type: string; readonly maxBytes: number };
  /** What the platform itself accepts, where we accept more. Other images are converted to JPEG or made smaller. */
  readonly rendition?: { readonly types: readonly string[]; readonly maxSide?: number; readonly maxBytes?: number };
}

export interface VideoLimit extends MediaLimit {
  readonly minSeconds: number | null;
  readonly maxSeconds: number;
  readonly aspect: Range | null;
  readonly framesPerSecond?: Range;
  /** Different limits for some kinds of video. A limit that a variant leaves out is the one above. */
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

/** An image that is shown for a video. */
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
  /** What the platform takes it for. It is not sent for anything else. */
  readonly kinds: readonly ('image' | 'video')[];
}

export interface FirstCommentLimit extends Counting {
  readonly max: number;
  /** The limit of paying accounts. */
  readonly premium?: number;
  /** The name of the unit in an answer. */
  readonly label: 'weighted characters' | 'characters' | 'code points' | 'graphemes';
  readonly maxBytes?: number;
}
