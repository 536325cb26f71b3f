import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Account } from '../platforms/kit/index.ts';

export interface NewConnection {
  id: string;
  userId: string;
  platform: string;
  account: Account;
  credentials: string;
  scopes: string[];
  expiresAt: Date | null;
  now: Date;
}

/** New credentials are evidence that the connection works again: the flag and the cool-down go. */
export const upsertConnection = (db: Db, { id, userId, platform, account, ...grant }: NewConnection) =>
  sql`
    insert into connections (id, user_id, platform, account_id, handle, display_name, avatar_url, profile_url, traits,
      credentials, scopes, expires_at, created_at, updated_at)
    values (${id}, ${userId}, ${platform}, ${account.id}, ${account.handle}, ${account.displayName}, ${account.avatarUrl},
      ${account.profileUrl}, ${JSON.stringify(account.traits)}::jsonb, ${grant.credentials}, ${grant.scopes},
      ${grant.expiresAt}, ${grant.now}, ${grant.now})
    on conflict (user_id, platform, account_id) do update set
      handle = excluded.handle, display_name = excluded.display_name, avatar_url = excluded.avatar_url,
      profile_url = excluded.profile_url, traits = excluded.traits, credentials = excluded.credentials,
      scopes = excluded.scopes, expires_at = excluded.expires_at, updated_at = excluded.updated_at,
      reconnect_required_at = null, cool_down_until = null`.execute(db);
