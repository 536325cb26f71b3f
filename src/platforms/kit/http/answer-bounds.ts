import type { JsonLimits } from '../../../foundation/lib/json.ts';

/**
 * For a response about one object, from a server that anyone can run. The longest known, server descriptions, have 50
 * kB.
 */
export const maxAnswerBytes = 256 * 1024;
/** Longer than any network's tokens: those of Google have up to 2,048 characters, and a JWT up to about 4,096. */
export const maxTokenLength = 8_192;
/** For a page of a hundred long posts in characters that JSON escapes, the longest response of any network. */
export const maxListBytes = 2 * 1024 * 1024;

/**
 * Applies to every response before parsing: a schema visits each item and describes each invalid one, which takes 2 to
 * 10 microseconds. A page of a hundred posts has about 1,500 items and 12,000 fields, in at most ten levels.
 */
export const answerBounds: JsonLimits = { levels: 32, items: 5000, values: 30_000 };
