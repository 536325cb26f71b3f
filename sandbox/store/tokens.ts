import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../json.ts';
import { randomName } from './apps.ts';
import { createMemory } from './remember.ts';
import type { Stored } from './stored.ts';

export interface Token {
  readonly network: string;
  readonly token: string;
  readonly kind: 'access' | 'refresh' | 'app';
  /** Null for a token that speaks for an app alone. */
  readonly accountId: string | null;
  readonly clientId: string | null;
  readonly scope: string;
  readonly data: JsonObject;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export interface NewToken {
  readonly network: string;
  readonly accountId: string | null;
  readonly scope: string;
  readonly clientId?: string | null;
  readonly kind?: Token['kind'];
  /** Given where the network's tokens have a form of their own (JWT, bot token). */
  readonly token?: string;
  readonly expiresInSeconds?: number;
  readonly data?: JsonObject;
}

const columns = `network, token, kind, account_id as accountId, client_id as clientId, scope, data,
  created_at as createdAt, expires_at as expiresAt, revoked_at as revokedAt`;

export function createTokens(db: DatabaseSync, now: () => number) {
  const insert = db.prepare('insert or replace into tokens values (?, ?, ?, ?, ?, ?, ?, ?, ?, null)');
  const byToken = db.prepare(`select ${columns} from tokens where network = ? and token = ?`);
  const revoke = db.prepare('update tokens set revoked_at = ? where network = ? and token = ?');
  const revokeAll = db.prepare('update tokens set revoked_at = ? where network = ? and account_id = ?');

  const memory = createMemory<Token>();

  return {
    issue(request: NewToken): Token {
      const createdAt = now();
      const { network, accountId, scope, clientId = null, kind = 'access', data = {} } = request;
      const token = request.token ?? randomName(32);
      const expiresAt = request.expiresInSeconds === undefined ? null : createdAt + request.expiresInSeconds * 1000;
      insert.run(network, token, kind, accountId, clientId, scope, JSON.stringify(data), createdAt, expiresAt);
      return { network, token, kind, accountId, clientId, scope, data, createdAt, expiresAt, revokedAt: null };
    },
    /** Also one that is revoked or expired, so that the network can say which. */
    find(network: string, token: string): Token | undefined {
      return memory.get(`${network} ${token}`, () => {
        const row = byToken.get(network, token) as Stored<Token, 'data'> | undefined;
        return row && { ...row, data: JSON.parse(row.data) };
      });
    },
    isAlive: (token: Token): boolean =>
      token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now()),
    revoke(token: Token): void {
      revoke.run(now(), token.network, token.token);
      memory.forget();
    },
    revokeAll(network: string, accountId: string): void {
      revokeAll.run(now(), network, accountId);
      memory.forget();
    },
    forget: memory.forget,
  };
}
