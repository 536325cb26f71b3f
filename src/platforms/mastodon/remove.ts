import { z } from 'zod';
import { type Context, type Removal, removal } from '../kit/index.ts';
import { type Credentials, call, signedIn } from './api.ts';

/** A server without this part of the API responds as if the status did not exist, so read the status in that case. */
export function remove(id: string, ctx: Context<Credentials>): Promise<Removal> {
  const status = { ...signedIn(ctx), path: `/api/v1/statuses/${encodeURIComponent(id)}` };
  const request = { ...status, method: 'DELETE' as const, query: { delete_media: 'true' } };
  return removal(call(z.unknown(), request, ctx), {
    isMissing: (error) => error.status === 404 || error.status === 410,
    read: () => call(z.unknown(), status, ctx),
  });
}
