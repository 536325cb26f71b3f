/** Plain data, so that validation, the dashboard's counter, the docs and MCP clients read the same numbers. */
export interface Limits {
  readonly text: { readonly max: number; readonly unit: TextUnit };
  readonly images: MediaLimit | null;
  readonly video: (MediaLimit & { readonly minSeconds?: number; readonly maxSeconds: number }) | null;
  /** Images and video in one post. */
  readonly mixed?: boolean;
  readonly mediaRequired?: boolean;
}
/** How a network counts. `mastodon`: graphemes, a link as 23, a mention without its host. */
export type TextUnit = 'utf16' | 'codepoint' | 'grapheme' | 'weighted' | 'mastodon';
export interface MediaLimit {
  readonly max: number;
  readonly types: readonly string[];
  readonly maxBytes: number;
}
