import type { Page } from 'playwright-core';

/** Fills in and submits the sign-in form. */
export async function enter(page: Page, { email, password }: { email?: string; password: string }) {
  if (email) await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
