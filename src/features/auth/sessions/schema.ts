import { z } from 'zod';
import { timestamp } from '../../../foundation/http/shapes.ts';
import { deviceName } from '../../../foundation/lib/device-name.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import type { SessionRow } from './queries.ts';

export const SessionParams = z.object({
  sessionId: z.string().refine(isId, 'session_not_found').describe('The `_id` of the session.'),
});

const Session = z.object({
  _id: z.string(),
  createdAt: timestamp.describe('When the user signed in.'),
  lastUsedAt: timestamp.describe('Accurate to the minute.'),
  device: z.string().describe('Browser and operating system.'),
  address: z.string().nullable().describe('The IP address of the sign-in.'),
  current: z.boolean().describe('The session of this request.'),
});
export const Sessions = z.object({ sessions: z.array(Session) });
export const EndedSessions = z.object({
  message: z.string(),
  ended: z.int().describe('The number of sessions ended.'),
});

export const presentSession = (row: SessionRow, currentId: string): z.infer<typeof Session> => ({
  _id: row.id,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  device: deviceName(row.userAgent),
  address: row.address,
  current: row.id === currentId,
});
