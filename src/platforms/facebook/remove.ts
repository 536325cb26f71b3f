import { z } from 'zod';
import { isNoObject } from '../graph/failure.ts';
import { type Context, type Removal, removal } from '../kit/index.ts';
import { type Credentials, callAsPage } from './api.ts';

const Success = z.object({ success: z.literal(true) });

export function remove(id: string, ctx: Context<Credentials>): Promise<Removal> {
  const path = `/${encodeURIComponent(id)}`;
  return removal(callAsPage(Success, { method: 'DELETE', path }, ctx), {
    isMissing: isNoObject,
    read: () => callAsPage(z.unknown(), { path, query: { fields: 'id' } }, ctx),
  });
}
