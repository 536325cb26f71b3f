import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../http/json.ts';
import { randomName } from './apps.ts';
import { createCache } from './cache.ts';
import type { Row } from './row.ts';

export interface Token {
  readonly platform: string;
  readonly token: string;
  readonly kind: 'access' | 'refresh' | 'app';
  /** Null for a token that belongs to an app and no account. */
  readonly accountId: string | null;
  readonly clientId: string | null;
  readonly scope: string;
  readonly data: JsonObject;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export interface NewToken {
  readonly platform: string;
  readonly accountId: string | null;
  readonly scope: string;
  readonly clientId?: string | null;
  readonly kind?: Token['kind'];
  /** For platforms with their own token format (JWT, bot token). */
  readonly token?: string;
  readonly expiresInSeconds?: number;
  readonly data?: JsonObject;
}

const columns = `network as platform, token, kind, account_id as accountId, client_id as clientId, scope, data,
  created_at as createdAt, expires_at as expiresAt, revoked_at as revokedAt`;

export function createTokens(db: DatabaseSync, now: () => number) {
  const insert = db.prepare('insert or replace into tokens values (?, ?, ?, ?, ?, ?, ?, ?, ?, null)');
  const byToken = db.prepare(`select ${columns} from tokens where network = ? and token = ?`);
  const revoke = db.prepare('update tokens set revoked_at = ? where network = ? and token = ?');
  const revokeAll = db.prepare('update tokens set revoked_at = ? where network = ? and account_id = ?');

  const cache = createCache<Token>();

  return {
    issue(request: NewToken): Token {
      const createdAt = now();
      const { platform, accountId, scope, clientId = null, kind = 'access', data = {} } = request;
      const token = request.token ?? randomName(32);
      const expiresAt = request.expiresInSeconds === undefined ? null : createdAt + request.expiresInSeconds * 1000;
      insert.run(platform, token, kind, accountId, clientId, scope, JSON.stringify(data), createdAt, expiresAt);
      return { platform, token, kind, accountId, clientId, scope, data, createdAt, expiresAt, revokedAt: null };
    },
    /** Also finds revoked and expired tokens, because platforms report the two differently. */
    find(platform: string, token: string): Token | undefined {
      return cache.get(`${platform} ${token}`, () => {
        const row = byToken.get(platform, token) as Row<Token, 'data'> | undefined;
        return row && { ...row, data: JSON.parse(row.data) };
      });
    },
    isAlive: (token: Token): boolean =>
      token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now()),
    revoke(token: Token): void {
      revoke.run(now(), token.platform, token.token);
      cache.forget();
    },
    revokeAll(platform: string, accountId: string): void {
      revokeAll.run(now(), platform, accountId);
      cache.forget();
    },
    forget: cache.forget,
  };
}
