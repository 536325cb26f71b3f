import { z } from 'zod';
import { type Context, type Removal, removal } from '../kit/index.ts';
import { atPds, type Credentials, procedure } from './api.ts';
import { hasErrorName } from './failure.ts';

/** `id` is the URI of a post. A server responds the same way if the record does not exist. */
export function remove(id: string, ctx: Context<Credentials>): Promise<Removal> {
  const [, , repo, collection, rkey] = id.split('/');
  const json = { repo, collection, rkey };
  const deleting = procedure(z.unknown(), atPds(ctx.credentials), 'com.atproto.repo.deleteRecord', { json }, ctx);
  return removal(deleting, { isMissing: (error) => hasErrorName(error, 'RecordNotFound') });
}
