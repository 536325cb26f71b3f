import type { LightMyRequestResponse } from 'fastify';
import type { App } from '../../../src/app.ts';
import type { Server } from '../../../src/foundation/http/server.ts';
import { buildServer } from '../../../src/surfaces/server.ts';
import type { TestDatabase } from '../database/postgres.ts';
import { type TestClock, testApp, testClock } from '../service/app.ts';
import { insertTestUser, type NewTestUser, testPassword } from '../service/user.ts';

export interface AccountsStage {
  readonly app: App;
  readonly server: Server;
  readonly database: TestDatabase;
  readonly clock: TestClock;
  /** A call to `/api/v1/auth/…`, with a session if one is given. */
  post(path: string, body: object, accessToken?: string): Promise<LightMyRequestResponse>;
  /** Opens a page as a browser does. */
  open(url: string): Promise<LightMyRequestResponse>;
  submit(url: string, fields: Record<string, string>): Promise<LightMyRequestResponse>;
  /** A user with the password of all test users. */
  aUser(user?: Partial<NewTestUser>): Promise<{ id: string; email: string; apiKey: string }>;
  /** The access token of a new session. */
  signIn(email: string, password?: string): Promise<string>;
  isSignedIn(accessToken: string): Promise<boolean>;
  /** The events in the audit log of a user, oldest first. */
  audit(userId: string): Promise<{ event: string; actor_kind: string; address: string | null; details: unknown }[]>;
  close(): Promise<void>;
}

/** A live service that sends mail. */
export const withMail = { NETWORKS: 'live', MAIL_URL: 'smtp://mail.example.com' };

/** The whole service with a fixed clock, for tests of the account lifecycle. */
export async function accountsStage(environment: Record<string, string> = {}): Promise<AccountsStage> {
  const clock = testClock();
  const ours = await testApp({ clock, environment });
  const { app, database } = ours;
  const server = await buildServer(app);
  let made = 0;
  const post: AccountsStage['post'] = (path, payload, accessToken) => {
    // Sign-in and sign-up attempts are limited per minute.
    clock.advance({ seconds: 1 });
    const headers = accessToken ? { authorization: `Bearer ${accessToken}` } : {};
    return server.inject({ method: 'POST', url: `/api/v1/auth/${path}`, payload, headers });
  };
  return {
    app,
    server,
    database,
    clock,
    post,
    open: (url) => server.inject({ url: url.replace(app.publicUrl, '') }),
    submit: (url, fields) =>
      server.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      }),
    aUser({ email, plan = 'pro' } = {}) {
      made += 1;
      return insertTestUser(app, { email: email ?? `person${made}@example.com`, plan });
    },
    async signIn(email, password = testPassword) {
      const answer = await post('signin', { email, password });
      if (answer.statusCode !== 200) throw new Error(`${email} cannot sign in: ${answer.body}`);
      return answer.json().accessToken;
    },
    async isSignedIn(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await server.inject({ url: '/api/v1/auth/session', headers })).statusCode === 200;
    },
    audit: (userId) =>
      app.db
        .selectFrom('audit_log')
        .select(['event', 'actor_kind', 'address', 'details'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute(),
    async close() {
      await server.close();
      await ours.close();
    },
  };
}
