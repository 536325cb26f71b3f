import { z } from 'zod';
import { Id, perhapsListed, type SignedIn } from '../graph/api.ts';
import type { Account } from '../kit/index.ts';
import { call } from './api.ts';

const Profile = perhapsListed(
  z.object({
    user_id: Id,
    /** The app-scoped id of the person, which Instagram sends when they remove our application. */
    id: Id.optional(),
    username: z.string().min(1),
    name: z.string().nullish(),
    profile_picture_url: z.string().nullish(),
  }),
);

export async function readAccount(ctx: SignedIn): Promise<Account> {
  const query = { fields: 'user_id,id,username,name,profile_picture_url' };
  const profile = await call(Profile, { path: '/me', query }, ctx);
  return {
    id: profile.user_id,
    handle: profile.username,
    displayName: profile.name || profile.username,
    avatarUrl: profile.profile_picture_url ?? null,
    profileUrl: `https://www.instagram.com/${profile.username}/`,
    traits: profile.id === undefined ? {} : { grantedBy: profile.id },
  };
}
