import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, chromiumPath, openStage, type Stage } from './support/stage.ts';

describe.skipIf(!chromiumPath)('signing in', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  test('leads back to the page that one wanted to see', async () => {
    const user = await stage.aUser();
    const page = await stage.aPage();
    await page.goto('/channels');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/channels');
    expect(await page.title()).toBe('Channels · Crier');
  });

  test('with a wrong password says so without telling what is wrong', async () => {
    const user = await stage.aUser();
    const page = await stage.aPage();
    await page.goto('/signin');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
  });

  test.each(['light', 'dark'] as const)('can be used by everybody (%s)', async (colorScheme) => {
    const page = await stage.aPage({ colorScheme, width: 360 });
    await page.goto('/signin');
    await page.getByLabel('Email').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
