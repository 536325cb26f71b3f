import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../http/json.ts';
import type { Row } from './row.ts';

/** A registered OAuth client. */
export interface App {
  readonly platform: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly website: string | null;
  readonly redirectUris: readonly string[];
  readonly scope: string;
  readonly createdAt: number;
}

/** A permission given on the consent page that waits to be exchanged for a token. */
export interface Code {
  readonly platform: string;
  readonly code: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** The PKCE challenge (S256); null when the client sent none. */
  readonly codeChallenge: string | null;
  readonly data: JsonObject;
  readonly createdAt: number;
}

export function createApps(db: DatabaseSync, now: () => number) {
  const insert = db.prepare('insert or replace into apps values (?, ?, ?, ?, ?, ?, ?, ?)');
  const byId =
    db.prepare(`select network as platform, client_id as clientId, client_secret as clientSecret, name, website,
    redirect_uris as redirectUris, scope, created_at as createdAt from apps where network = ? and client_id = ?`);
  const insertCode = db.prepare('insert into codes values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const takeCode = db.prepare(`delete from codes where network = ? and code = ? returning network as platform, code,
    client_id as clientId, account_id as accountId, redirect_uri as redirectUri, scope, code_challenge as codeChallenge,
    data, created_at as createdAt`);

  return {
    add(app: Omit<App, 'clientId' | 'clientSecret' | 'createdAt'> & { clientId?: string; clientSecret?: string }): App {
      const added = { clientId: randomName(32), clientSecret: randomName(32), ...app, createdAt: now() };
      const { platform, clientId, clientSecret, name, website, redirectUris, scope, createdAt } = added;
      insert.run(platform, clientId, clientSecret, name, website, JSON.stringify(redirectUris), scope, createdAt);
      return added;
    },
    find(platform: string, clientId: string): App | undefined {
      const row = byId.get(platform, clientId) as Row<App, 'redirectUris'> | undefined;
      return row && { ...row, redirectUris: JSON.parse(row.redirectUris) };
    },
    addCode(code: Omit<Code, 'code' | 'createdAt'>): string {
      const name = randomName(32);
      const { platform, clientId, accountId, redirectUri, scope, codeChallenge, data } = code;
      insertCode.run(
        platform,
        name,
        clientId,
        accountId,
        redirectUri,
        scope,
        codeChallenge,
        JSON.stringify(data),
        now(),
      );
      return name;
    },
    /** Removes the code, because a code works once. */
    takeCode(platform: string, code: string): Code | undefined {
      const row = takeCode.get(platform, code) as Row<Code, 'data'> | undefined;
      return row && { ...row, data: JSON.parse(row.data) };
    },
  };
}

export function randomName(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
