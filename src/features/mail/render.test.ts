import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { headerIn, parseMail } from '../../../test/support/servers/parse-mail.ts';
import { contentOf } from './content.ts';
import type { MailData, MailKind } from './mails.ts';
import { renderMail } from './render.ts';
import { messageOf } from './smtp-mailer.ts';

const link = 'https://crier.example/do?token=abc&next=%2F';
const at = '2027-03-04T05:06:07.000Z';

/** Every kind, with the same text in each field that a user or a network can choose. */
const mailsWith = (text: string): { [Kind in MailKind]: MailData[Kind] } => ({
  verify_email: { link },
  already_signed_up: { signInUrl: link, resetUrl: link },
  invitation: { link, expiresAt: at },
  reset_password: { link },
  password_changed: { at },
  confirm_new_email: { link },
  email_change_requested: { newEmail: text, at, resetUrl: link },
  email_changed: { newEmail: text, at },
  passkey_added: { name: text, at, address: text, device: text, resetUrl: link },
  access_added: { what: 'API key', name: text, at, address: text, device: text, resetUrl: link },
  two_factor_enabled: { at, address: text, device: text, resetUrl: link },
  recovery_codes_replaced: { at, address: text, device: text, resetUrl: link },
  wrong_codes: { at, address: text, device: text, resetUrl: link },
  workspace_joined: { owner: text, ownerEmail: text, at, settingsUrl: link, resetUrl: link },
  two_factor_disabled: { at, byOperator: true },
  new_sign_in: { at, address: text, device: text },
  connection_broken: { network: 'X', account: text, reason: text, link },
  monthly_limit_reached: { plan: text, limit: 15, resetAt: at },
  webhook_disabled: { name: text, url: text, reason: text },
  managed_email_released: { name: text, email: text, newEmail: text },
  deletion_requested: { deletionAt: at, keepUrl: link, at, address: text, device: text, resetUrl: link },
  deletion_postponed: { deletionAt: at, takenAt: at, keepUrl: link },
  deletion_cancelled: { at },
  account_deleted: { at },
  data_exported: { at, address: text, device: text, resetUrl: link },
});
const kinds = Object.keys(mailsWith('')) as MailKind[];

const rendered = (kind: MailKind, text: string) =>
  renderMail(contentOf(kind, mailsWith(text)[kind]), { publicUrl: 'https://crier.example' });

/** The tags and attributes of a page, without its text. */
const skeleton = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);

const nastyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '\r\n',
      '\n',
      '\r',
      '\0',
      '\u2028',
      '\u202e',
      '\ud800',
      '=?utf-8?b?',
      ': ',
    ),
    fc.constantFrom('<script>', '</style>', '<!--', 'javascript:', 'Bcc: eve@example.com', '\r\n\r\n', '--boundary'),
    anyString({ maxLength: 3 }),
  ),
  maxLength: 40,
});

describe.each(kinds)('%s', (kind) => {
  test('has a subject, and the same in plain text and HTML', () => {
    const { subject, text, html } = rendered(kind, 'Ada');
    const { heading, paragraphs, links } = contentOf(kind, mailsWith('Ada')[kind]);
    expect(subject.length).toBeGreaterThan(5);
    for (const part of [heading, ...paragraphs, ...links.map(({ label }) => label)]) {
      expect(text).toContain(part);
      expect(html).toContain(part.replaceAll("'", '&#39;'));
    }
    for (const { url } of links) {
      expect(text).toContain(url);
      expect(html).toContain(`href="${url.replaceAll('&', '&amp;')}"`);
    }
    expect(html).not.toMatch(/<img|<script|src=|url\(/);
    expect(html).toContain('prefers-color-scheme: dark');
  });

  test('cannot be changed by what users write: no text breaks out of the HTML or the subject', () => {
    const plain = skeleton(rendered(kind, 'plain').html);
    fc.assert(
      fc.property(nastyText, (text) => {
        const { subject, html } = rendered(kind, text);
        expect(skeleton(html)).toEqual(plain);
        expect(subject).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 200 },
    );
  });
});

test('no text of a user begins a header, a part or another recipient', async () => {
  const composer = createTransport({ streamTransport: true, buffer: true });
  const headersOf = async (text: string) => {
    const mail = rendered('webhook_disabled', text);
    const addressed = {
      ...mail,
      to: 'ada@example.com',
      from: { name: text, address: 'crier@example.com' },
      messageId: '<1@example.com>',
    };
    const { message, envelope } = await composer.sendMail(messageOf(addressed));
    const { headers, text: body } = parseMail(message.toString());
    return { names: headers.map(([name]) => name).sort(), to: headerIn(headers, 'to'), envelope, hasText: body !== '' };
  };
  const plain = await headersOf('plain');
  expect(plain).toMatchObject({ to: 'ada@example.com', envelope: { to: ['ada@example.com'] }, hasText: true });
  await fc.assert(
    fc.asyncProperty(nastyText, async (text) => {
      expect(await headersOf(text)).toEqual(plain);
    }),
    { numRuns: 300 },
  );
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:a@b', 'not an address'])(
  'a link to %s is left out',
  (url) => {
    const { text, html } = renderMail(contentOf('reset_password', { link: url }), {
      publicUrl: 'https://crier.example',
    });
    expect(text + html).not.toContain(url);
  },
);

test('a long name does not make a long subject', () => {
  const { subject } = rendered('webhook_disabled', 'n'.repeat(5_000));
  expect(subject).toHaveLength(150);
});

test('times are written for people', () => {
  expect(rendered('password_changed', '').text).toContain('on 4 March 2027 at 05:06 UTC.');
});
