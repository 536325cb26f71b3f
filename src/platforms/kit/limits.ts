import type { CountingUnit } from '../../lib/text-length.ts';

/** Plain data, so that validation, the dashboard's counter, the docs and MCP clients read the same numbers. */
export interface Limits {
  readonly text: { readonly max: number; readonly unit: CountingUnit; readonly urlLength?: number };
  readonly images: MediaLimit | null;
  readonly video: (MediaLimit & { readonly minSeconds?: number; readonly maxSeconds: number }) | null;
  /** Images and video in one post. */
  readonly mixed?: boolean;
  readonly mediaRequired?: boolean;
}
export interface MediaLimit {
  readonly max: number;
  readonly types: readonly string[];
  readonly maxBytes: number;
}
