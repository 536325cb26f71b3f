import type { JsonLimits } from '../../../foundation/lib/json.ts';

/** Of an answer about one thing, from a server that anyone can run. The longest known, descriptions of servers, have 50 kB. */
export const maxAnswerBytes = 256 * 1024;
/** Of a page with a hundred long posts in letters that JSON escapes, which is the longest answer of any network. */
export const maxListBytes = 2 * 1024 * 1024;

/**
 * Of every answer, before it is parsed: a schema looks at each item and describes each wrong one, which takes 2 to 10
 * microseconds. A page of a hundred posts has about 1,500 items and 12,000 fields, in at most ten levels.
 */
export const answerBounds: JsonLimits = { levels: 32, items: 5000, values: 30_000 };
