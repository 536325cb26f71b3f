import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { operatorActor } from '../../src/features/audit/actors.ts';
import { invite } from '../../src/features/auth/sign-up/invitations.ts';
import { inspect, tabTo } from './support/inspect.ts';
import { journeys } from './support/journey.ts';
import { test } from './support/mail-stage.ts';
import { enter } from './support/sign-in.ts';
import type { Stage } from './support/stage.ts';

journeys('signing in', () => {
  let stage: Stage;
  test.beforeAll(({ stage: shared }) => {
    stage = shared;
  });

  test('redirects to the requested page', async () => {
    const user = await stage.aUser();
    const page = await stage.aPage();
    await page.goto('/channels');
    await page.getByLabel('Email').waitFor();
    await page.getByText(/^Write a post once\. Crier publishes it/).waitFor();
    await inspect(page, 'sign-in');
    await enter(page, user);
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/channels');
    expect(await page.title()).toBe('Channels · Crier');
  });

  test('with a wrong password doesn’t reveal what is wrong, and works by keyboard alone', async () => {
    const user = await stage.aUser();
    const page = await stage.aPage();
    await page.goto('/signin');
    await page.getByLabel('Email').waitFor();
    await page.keyboard.insertText(user.email);
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
    await inspect(page, 'sign-in-wrong');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(user.password);
    await tabTo(page, page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
  });

  test('on a page opened with an IP address explains why there are no passkeys', async () => {
    const page = await stage.aPage();
    await page.goto(`${stage.url.replace('localhost', '127.0.0.1')}/signin`);
    await page.getByText(`you opened this page with an IP address. Open ${stage.url} to use them.`).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  });

  test('again after the session ended elsewhere happens in place, and nothing is lost', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/compose');
    const text = page.getByLabel('Post text');
    await text.fill('Written while signed in');
    await page.getByText(/^Saved/).waitFor();
    await signOutElsewhere(user);
    await text.fill('Written after the session had ended');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await inspect(page, 'session-over');
    await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('Email').inputValue()).toBe(user.email);
    await enter(page, { password: 'not the password' });
    await dialog.getByRole('alert').waitFor();
    await enter(page, user);
    await dialog.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('Written after the session had ended');
    await page.getByText(/^Saved/).waitFor();
    await page.reload();
    await expect.poll(() => text.inputValue()).toBe('Written after the session had ended');
  });

  test('again as a different user shows nothing of the page', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const other = await stage.aUser();
    await page.goto('/settings/usage');
    await page.getByRole('region', { name: 'Channels' }).waitFor();
    await signOutElsewhere(user);
    await page.getByRole('link', { name: 'Channels' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await enter(page, other);
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
  });

  test('shows the next person in the same browser nothing that the one before did not save', async () => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    const next = await stage.aUser({ networks: ['mastodon'] });
    await keepUnsaved(page, 'Written by the person before');
    await page.context().clearCookies();
    await page.goto('/signin');
    await enter(page, next);
    await page.getByRole('button', { name: 'Account' }).waitFor();
    expect(await keptIn(page)).toEqual([]);
    await page.goto('/compose');
    await page.getByLabel('Post text').waitFor();
    expect(await page.getByLabel('Post text').inputValue()).toBe('');
  });

  test('out removes from the browser what was not saved, and says so', async () => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    await keepUnsaved(page, 'Not for those who come after');
    expect(await keptIn(page)).toHaveLength(1);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByText('You’ve signed out, so this browser no longer keeps them').waitFor();
    expect(await keptIn(page)).toEqual([]);
  });

  test('again as the same person brings back what was not saved', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await keepUnsaved(page, 'Mine, and still here');
    await page.context().clearCookies();
    await page.goto('/signin?next=/compose');
    await enter(page, user);
    await page.getByText('Your unsaved changes are restored.').waitFor();
    expect(await page.getByLabel('Post text').inputValue()).toBe('Mine, and still here');
  });

  /** Like "Sign out everywhere else" on another device does. */
  async function signOutElsewhere({ email, password }: { email: string; password: string }) {
    const elsewhere = await stage.aPage();
    await elsewhere.request.post('/api/v1/auth/signin', { data: { email, password } });
    const ended = await elsewhere.request.delete('/api/v1/auth/sessions', { headers: { origin: stage.url } });
    expect(await ended.json()).toMatchObject({ ended: 1 });
  }
});

journeys('signing up', () => {
  const password = 'a sentence nobody guesses';

  test('is closed once there is an account, with an explanation', async ({ mailStage: stage }) => {
    await stage.aUser();
    const page = await stage.aPage();
    await page.goto('/signup');
    await page.getByText('Sign-up is closed').waitFor();
    await inspect(page, 'sign-up-closed');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').waitFor();
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0);
  });

  test('is still open with an invitation', async ({ mailStage: stage }) => {
    await invite(stage.service.app, { email: 'grace@example.com' }, operatorActor());
    const page = await stage.aPage();
    await stage.openMail(page, 'grace@example.com', 'You are invited to Crier');
    await inspect(page, 'invited');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await enter(page, { email: 'grace@example.com', password });
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
  });

  test('can be followed by a password reset by email', async ({ mailStage: stage }) => {
    const page = await stage.aPage();
    const user = await stage.aUser();
    await page.goto('/signin');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(user.email);
    await inspect(page, 'forgot-password');
    await page.getByRole('button', { name: 'Send link' }).click();
    await stage.openMail(page, user.email, 'Choose a new password');
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await enter(page, { email: user.email, password });
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
  });
});

/** Writes in the composer while the service takes no drafts. */
async function keepUnsaved(page: Page, text: string) {
  await page.route('**/api/v1/dashboard/drafts/**', (route) => route.abort());
  await page.goto('/compose');
  await page.getByLabel('Post text').fill(text);
  await page.getByText('Kept in this browser').waitFor();
}

const keptIn = (page: Page) => page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('crier:'))");
