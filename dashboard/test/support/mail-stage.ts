import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openSmtpServer } from '../../../test/support/servers/smtp.ts';
import { test as withStage } from './journey.ts';
import { openStage, type Stage } from './stage.ts';

export interface MailStage extends Stage {
  /** Opens the link in the email with this subject. */
  openMail(page: Page, to: string, subject: string): Promise<void>;
}

/** A test with a service in live mode, which sends emails: sign-up starts with one. */
export const test = withStage.extend('mailStage', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
  await using starting = new AsyncDisposableStack();
  const smtp = starting.adopt(await openSmtpServer(), ({ close }) => close());
  const environment = { NETWORKS: 'live', MAIL_URL: `smtp://127.0.0.1:${smtp.port}` };
  const stage = starting.adopt(await openStage(browser, environment), ({ close }) => close());
  const running = starting.move();
  onCleanup(() => running.disposeAsync());
  const mailStage: MailStage = {
    ...stage,
    async openMail(page, to, subject) {
      const find = () => smtp.received(to).find((mail) => mail.subject === subject);
      await expect.poll(() => find()?.text).toMatch(/https?:/);
      await page.goto(/https?:\S+/.exec(find()!.text)![0]);
    },
  };
  return mailStage;
});
