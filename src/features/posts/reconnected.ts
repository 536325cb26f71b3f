import { sql } from 'kysely';

/** For statements that read failed targets: the account refused access, and it has been reconnected since. */
export const isReconnected = sql<boolean>`(error ->> 'code' = 'PLATFORM_AUTH_EXPIRED' and exists (
  select from connections where connections.id = connection_id and reconnect_required_at is null))`;
