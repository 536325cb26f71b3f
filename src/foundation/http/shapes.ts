import { z } from 'zod';

/** Used by many wire shapes. */

export const success = z.literal(true);

/** ISO 8601 in UTC. */
export const timestamp = z.string().meta({ format: 'date-time' });

/** `<platform>-<account id>`: how a request names one of the user's connections. */
export const connectionId = z.string().describe('A connection: `<platform>-<account id>`.');

export const Success = z.object({ success }).meta({ id: 'Success', description: 'Done.' });

const Warning = z.looseObject({ code: z.string(), message: z.string() }).meta({
  id: 'Warning',
  description: 'A notice about a request that succeeded. Further fields depend on the code.',
});
export const warnings = z.array(Warning).optional().describe('Omitted if there are none.');
