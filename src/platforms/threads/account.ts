import { z } from 'zod';
import { Id, type SignedIn } from '../graph/api.ts';
import type { Account } from '../kit/index.ts';
import { call } from './api.ts';
import { allowsReplies, readScopes } from './scopes.ts';

const Profile = z.object({
  id: Id,
  username: z.string().min(1),
  name: z.string().nullish(),
  threads_profile_picture_url: z.string().nullish(),
});

/** The account and the token's scopes. `scopes` is null if Threads does not report them. */
export async function readAccount(ctx: SignedIn): Promise<{ account: Account; scopes: string[] | null }> {
  const query = { fields: 'id,username,name,threads_profile_picture_url' };
  const profile = await call(Profile, { path: '/me', query }, ctx);
  const scopes = await readScopes(ctx);
  const account: Account = {
    id: profile.id,
    handle: profile.username,
    displayName: profile.name || profile.username,
    avatarUrl: profile.threads_profile_picture_url ?? null,
    profileUrl: `https://www.threads.com/@${profile.username}`,
    traits: scopes ? { canReply: allowsReplies(scopes) } : {},
  };
  return { account, scopes };
}
