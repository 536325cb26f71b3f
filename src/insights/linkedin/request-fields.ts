import { z } from 'zod';

/** Any value passes: the use-case refuses a wrong one with the contract's error. */
export const text = (description: string) => z.unknown().optional().meta({ type: 'string', description });

/** A body that is not an object counts as an object without fields. */
export const fields = <T extends z.ZodRawShape>(shape: T) =>
  z.preprocess(
    (sent) => (typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {}),
    z.object(shape),
  );

export const platformId = text('A LinkedIn connection: `linkedin-<id>`');
export const postedId = text('`urn:li:share:<id>`, `urn:li:ugcPost:<id>` or `urn:li:activity:<id>`');
