import { z } from 'zod';
import { shownAs } from '../../../foundation/http/openapi/schemas.ts';

/**
 * Accepts any value: the use case rejects an invalid one with the contract's error. `shown` is the documented schema.
 */
export const unchecked = (shown: z.ZodType, description: string) =>
  shownAs(z.unknown(), shown).optional().describe(description);
export const text = (description: string) => unchecked(z.string(), description);

/** A body that is not an object counts as an object without fields. `required` is only for the documentation. */
export const fields = <T extends z.ZodRawShape>(required: (keyof T & string)[], shape: T) =>
  z.preprocess(
    (sent) => (typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {}),
    z.object(shape).meta(required.length > 0 ? { required } : {}),
  );

export const platformId = text('A LinkedIn connection: `linkedin-<id>`.');
export const postedId = text('The post: `urn:li:share:<id>`, `urn:li:ugcPost:<id>` or `urn:li:activity:<id>`.');
