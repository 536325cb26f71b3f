import { z } from 'zod';
import { type Context, type Removal, removal } from '../kit/index.ts';
import { api, type Credentials, call } from './api.ts';

const Deleted = z.object({ data: z.object({ deleted: z.literal(true) }) });

export function remove(id: string, ctx: Context<Credentials>): Promise<Removal> {
  const { accessToken } = ctx.credentials;
  const request = { method: 'DELETE' as const, url: `${api}/tweets/${encodeURIComponent(id)}`, accessToken };
  return removal(call(Deleted, request, ctx), { isMissing: ({ status }) => status === 404 });
}
