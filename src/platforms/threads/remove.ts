import { z } from 'zod';
import { isNoObject } from '../graph/failure.ts';
import { type Context, type Removal, removal } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';

const Success = z.object({ success: z.literal(true) });

/** Needs the permission `threads_delete`, which publishing does not need and the consent page does not request. */
export function remove(id: string, ctx: Context<Credentials>): Promise<Removal> {
  const path = `/${encodeURIComponent(id)}`;
  return removal(call(Success, { method: 'DELETE', path }, ctx), {
    isMissing: isNoObject,
    read: () => call(z.unknown(), { path, query: { fields: 'id' } }, ctx),
  });
}
