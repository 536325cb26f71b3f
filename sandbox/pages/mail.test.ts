import { describe, expect, test } from 'vitest';
import { startTestSandbox } from '../testing.ts';

const aMail = (n: number) => ({
  messageId: `<${n}@crier.example>`,
  to: `user${n}@example.com`,
  from: 'Crier <crier@example.com>',
  subject: `Subject ${n}`,
  text: `Open this:\nhttps://crier.example/reset?token=abc${n}`,
  html: `<!doctype html><html><head><title>x</title></head><body><p>Mail ${n}</p></body></html>`,
});

describe('mail in the sandbox', () => {
  test('is listed by the control API, newest last', async () => {
    const sandbox = await startTestSandbox({ now: () => Date.parse('2027-01-02T03:04:05Z') });
    for (const n of [1, 2]) expect((await sandbox.sendJson('POST', '/_control/mail', aMail(n))).status).toBe(201);
    const expected = [1, 2].map((n) => {
      const { messageId, ...mail } = aMail(n);
      return { ...mail, at: '2027-01-02T03:04:05.000Z' };
    });
    expect(await (await sandbox.at('/_control/mail')).json()).toEqual(expected);
  });

  test('that is handed over again under its Message-ID is kept once', async () => {
    const sandbox = await startTestSandbox();
    for (const n of [1, 1]) await sandbox.sendJson('POST', '/_control/mail', aMail(n));
    expect(await (await sandbox.at('/_control/mail')).json()).toHaveLength(1);
  });

  test('is bounded: the oldest goes', async () => {
    const sandbox = await startTestSandbox();
    const add = (n: number) => sandbox.sendJson('POST', '/_control/mail', aMail(n));
    await add(1);
    await Promise.all(Array.from({ length: 499 }, (_, index) => add(index + 2)));
    const list = async () => (await (await sandbox.at('/_control/mail')).json()).map(({ to }: { to: string }) => to);
    expect(await list()).toContain('user1@example.com');
    await add(501);
    const kept = await list();
    expect([kept.length, kept.at(-1)]).toEqual([500, 'user501@example.com']);
    expect(kept).not.toContain('user1@example.com');
  });

  test('without a part is refused', async () => {
    const sandbox = await startTestSandbox();
    const { html, ...rest } = aMail(1);
    const response = await sandbox.sendJson('POST', '/_control/mail', rest);
    expect([response.status, await response.json()]).toEqual([400, { error: '`html` must be a non-empty string.' }]);
  });

  test('is forgotten by a reset of everything, not by that of one network', async () => {
    const sandbox = await startTestSandbox();
    await sandbox.sendJson('POST', '/_control/mail', aMail(1));
    await sandbox.sendJson('POST', '/_control/reset', { network: 'mastodon' });
    expect(await (await sandbox.at('/_control/mail')).json()).toHaveLength(1);
    await sandbox.sendJson('POST', '/_control/reset', {});
    expect(await (await sandbox.at('/_control/mail')).json()).toEqual([]);
  });
});

describe('the page /mail', () => {
  test('is linked from the home page and lists mails, newest first', async () => {
    const sandbox = await startTestSandbox();
    expect(await (await sandbox.at('/mail')).text()).toContain('There is no mail yet');
    for (const n of [1, 2]) await sandbox.sendJson('POST', '/_control/mail', aMail(n));
    expect(await (await sandbox.at('/')).text()).toContain('<a href="/mail">2 mails</a>');
    const page = await (await sandbox.at('/mail')).text();
    expect(page.indexOf('Subject 2')).toBeLessThan(page.indexOf('Subject 1'));
    expect(page).toContain('href="/mail/2"');
  });

  test('an unchanged list is not sent again', async () => {
    const sandbox = await startTestSandbox();
    const tag = (await sandbox.at('/mail')).headers.get('etag') ?? '';
    const ask = () => sandbox.at('/mail', { headers: { 'if-none-match': tag } });
    expect((await ask()).status).toBe(304);
    await sandbox.sendJson('POST', '/_control/mail', aMail(1));
    expect((await ask()).status).toBe(200);
  });

  test('one mail shows its plain text with links, and its HTML in a frame that runs nothing', async () => {
    const sandbox = await startTestSandbox();
    await sandbox.sendJson('POST', '/_control/mail', aMail(1));
    const response = await sandbox.at('/mail/1');
    const page = await response.text();
    expect(page).toContain('<a href="https://crier.example/reset?token=abc1"');
    expect(page).toMatch(/<iframe [^>]*src="\/mail\/1\/html" sandbox="allow-popups allow-popups-to-escape-sandbox">/);
    expect(response.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'; frame-src 'self'$/);
    const frame = await sandbox.at('/mail/1/html');
    expect(await frame.text()).toContain('<head><base target="_blank"><title>');
    const policy = frame.headers.get('content-security-policy');
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
  });

  test('a mail is shown as text, never as markup of the page', async () => {
    const sandbox = await startTestSandbox();
    const evil = '<script>alert(1)</script>"><img src=x>';
    await sandbox.sendJson('POST', '/_control/mail', { ...aMail(1), to: evil, from: evil, subject: evil, text: evil });
    for (const path of ['/mail', '/mail/1']) {
      const page = await (await sandbox.at(path)).text();
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(page).not.toMatch(/<script>|<img src=x/);
    }
  });

  test.each(['/mail/7', '/mail/x', '/mail/1/raw', '/mail/1/html/x', '/mail/99999999999999999999'])(
    '%s is 404',
    async (path) => {
      const sandbox = await startTestSandbox();
      await sandbox.sendJson('POST', '/_control/mail', aMail(1));
      expect((await sandbox.at(path)).status).toBe(404);
    },
  );
});
