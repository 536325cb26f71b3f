import { Browser, type BrowserOptions } from '../browser/cookies.ts';
import type { TestService, TestUser } from './service.ts';
import { testPassword } from './user.ts';

export interface Person extends TestUser {
  email: string;
  browser: Browser;
}

export async function emailOf({ app }: Pick<TestService, 'app'>, userId: string): Promise<string> {
  const users = app.db.selectFrom('users').select('email').where('id', '=', userId);
  return (await users.executeTakeFirstOrThrow()).email;
}

/** A browser in which this user has signed in. */
export async function signedInBrowser(service: TestService, userId: string, options?: BrowserOptions) {
  const browser = new Browser(service.server, options);
  const answer = await browser.signIn(await emailOf(service, userId), testPassword);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return browser;
}

/** A user of the service who is signed in. */
export async function aPerson(service: TestService): Promise<Person> {
  const user = await service.aUser();
  return { ...user, email: await emailOf(service, user.id), browser: await signedInBrowser(service, user.id) };
}

/** A person with a password in the workspace of this owner. */
export async function aMember(service: TestService, owner: TestUser): Promise<Person> {
  const member = await aPerson(service);
  // Users with a subscription join no workspace.
  await service.app.db.updateTable('users').set({ plan_is_default: true }).where('id', '=', member.id).execute();
  const { attachToken } = (await member.browser.post('/auth/attach-token')).json();
  const { status, body } = await owner.call('POST', '/workspace/users/attach', { userId: member.id, attachToken });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return member;
}
