import { afterEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../../test/support/service/app.ts';
import { queuedMails, tokenFor } from '../../../../test/support/service/queued-mail.ts';
import { type AccountsStage, accountsStage, withMail } from '../../../../test/support/stages/accounts.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { setAccess } from '../../accounts/operator/switches.ts';

let stage: AccountsStage;
afterEach(() => stage.close());

const password = 'correct horse battery';
const signUp = async (email: string) => {
  const answer = await stage.post('signup', { email, password });
  return answer.statusCode < 400 ? [answer.statusCode] : [answer.statusCode, answer.json().code];
};
const verify = async (token: string) => {
  const answer = await stage.post('verify-email', { token });
  return answer.statusCode === 200 ? [200] : [answer.statusCode, answer.json().code];
};

test('30 sign-ups a minute come from one network, whichever process they reach, and of an IPv6 address its network counts', async () => {
  stage = await accountsStage({ RATE_LIMITS: '0.1' });
  const other = await testApp({ clock: stage.clock, database: stage.database, environment: { RATE_LIMITS: '0.1' } });
  const otherServer = await buildServer(other.app);
  const sign = async (server: Server, name: string, remoteAddress: string) => {
    const payload = { email: `${name}@example.com`, password };
    const answer = await server.inject({ method: 'POST', url: '/api/v1/auth/signup', payload, remoteAddress });
    return [answer.statusCode, answer.headers['retry-after']];
  };
  expect(await sign(stage.server, 'one', '2001:db8::1')).toEqual([200, undefined]);
  expect(await sign(otherServer, 'two', '2001:db8::2')).toEqual([200, undefined]);
  expect(await sign(stage.server, 'three', '2001:db8::3')).toEqual([200, undefined]);
  expect(await sign(otherServer, 'four', '2001:db8::4')).toEqual([429, '53']);
  expect(await sign(otherServer, 'five', '2001:db8:0:1::1')).toEqual([200, undefined]);
  stage.clock.advance({ seconds: 53 });
  expect(await sign(otherServer, 'four', '2001:db8::4')).toEqual([200, undefined]);
  await otherServer.close();
  await other.close();
});

describe('SIGN_UP', () => {
  test('is open in the sandbox, without verification', async () => {
    stage = await accountsStage();
    expect(await signUp('one@example.com')).toEqual([200]);
    expect(await signUp('two@example.com')).toEqual([200]);
    expect(await signUp('two@example.com')).toEqual([409, 'EMAIL_TAKEN']);
  });

  test('lets the first person in in live mode, and nobody after that', async () => {
    stage = await accountsStage({ NETWORKS: 'live' });
    expect(await signUp('one@example.com')).toEqual([200]);
    expect(await signUp('two@example.com')).toEqual([403, 'SIGN_UP_CLOSED']);
    // A known address gets the same response.
    expect(await signUp('one@example.com')).toEqual([403, 'SIGN_UP_CLOSED']);
    const answer = await stage.post('signup', { email: 'two@example.com', password });
    expect(answer.json()).toMatchObject({
      error: 'Sign-up is closed',
      hint: expect.stringContaining('npm run admin -- create-user'),
    });
  });

  test.each(['closed', 'invite'])(
    '%s cannot be evaded by a user that a workspace makes and detaches',
    async (signUp) => {
      stage = await accountsStage({ ...withMail, SIGN_UP: signUp });
      const owner = await stage.aUser({ plan: 'agency' });
      await setAccess(stage.app, owner.id, { workspace: true });
      const call = (method: 'POST' | 'DELETE', path: string, payload?: object) => {
        const headers = { 'x-service-key': owner.apiKey };
        return stage.server.inject({
          method,
          url: `/api/v1/workspace/users${path}`,
          headers,
          ...(payload && { payload }),
        });
      };
      const email = 'friend@example.com';
      const made = await call('POST', '', { username: email });
      expect((await call('DELETE', `/${made.json().user._id}`)).statusCode).toBe(200);
      expect((await stage.post('password/forgot', { email })).statusCode).toBe(200);
      expect(await queuedMails(stage.app, email, 'reset_password')).toEqual([]);
    },
  );

  test('lets one person in when several want to be the first at the same time', async () => {
    stage = await accountsStage({ NETWORKS: 'live' });
    const emails = ['one@example.com', 'two@example.com', 'three@example.com', 'four@example.com'];
    const outcomes = await Promise.all(emails.map(signUp));
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(([, code]) => code === 'SIGN_UP_CLOSED')).toHaveLength(3);
  });

  test('with mail, the first person is the one who verifies first', async () => {
    stage = await accountsStage(withMail);
    expect(await signUp('stranger@example.com')).toEqual([202]);
    expect(await signUp('operator@example.com')).toEqual([202]);
    const [stranger, operator] = [
      await tokenFor(stage.app, 'stranger@example.com', 'verify_email'),
      await tokenFor(stage.app, 'operator@example.com', 'verify_email'),
    ];
    expect(await verify(operator)).toEqual([200]);
    expect(await verify(stranger)).toEqual([403, 'SIGN_UP_CLOSED']);
    expect(await signUp('late@example.com')).toEqual([403, 'SIGN_UP_CLOSED']);
  });

  test('closed lets nobody in, not even the first', async () => {
    stage = await accountsStage({ NETWORKS: 'live', SIGN_UP: 'closed' });
    expect(await signUp('one@example.com')).toEqual([403, 'SIGN_UP_CLOSED']);
  });

  test('invite lets nobody in without an invitation', async () => {
    stage = await accountsStage({ SIGN_UP: 'invite' });
    expect(await signUp('one@example.com')).toEqual([403, 'INVITATION_REQUIRED']);
    const answer = await stage.post('signup', { email: 'one@example.com', password });
    expect(answer.json().hint).toContain('npm run admin -- invite');
  });

  test('open works in live mode too', async () => {
    stage = await accountsStage({ NETWORKS: 'live', SIGN_UP: 'open' });
    expect(await signUp('one@example.com')).toEqual([200]);
    expect(await signUp('two@example.com')).toEqual([200]);
  });
});

test('a sign-up is in the audit log', async () => {
  stage = await accountsStage();
  const answer = await stage.post('signup', { email: 'one@example.com', password });
  const [entry] = await stage.audit(answer.json().user._id);
  expect(entry).toMatchObject({ event: 'signed_up', actor_kind: 'user', address: '127.0.0.1' });
});
