import { z } from 'zod';
import { timestamp } from '../../foundation/http/shapes.ts';

export const Deletion = z.object({
  message: z.string(),
  deletionAt: timestamp.nullable().describe('When the account will be deleted. Null if it stays.'),
});

const Rows = z.array(z.looseObject({}));

/** Written as a stream: this describes the file, and checks nothing. */
export const AccountExport = z
  .looseObject({
    exportedAt: timestamp,
    user: z.looseObject({ id: z.string(), email: z.string() }),
    postGroups: Rows.describe('Posts with their targets, media records and logs, the oldest first.'),
    brands: Rows.describe('The same document for each managed user who has no password and is not on hold.'),
  })
  .describe('Everything that the user owns, without secrets and without the bytes of files.');
