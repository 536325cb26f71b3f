import { type HttpResponse, json } from '../http/http-response.ts';
import type { JsonObject } from '../http/json.ts';
import type { Sandbox } from '../platform.ts';
import { check, someText } from './check.ts';

/** Newest last. */
export function listMail({ store }: Sandbox, input: JsonObject): HttpResponse {
  check(input, {});
  return json(
    store.mails.list().map(({ to, from, subject, text, html, receivedAt }) => ({
      to,
      from,
      subject,
      text,
      html,
      at: new Date(receivedAt).toISOString(),
    })),
  );
}

/** Crier sends its mail here instead of to a mail server. */
export function receiveMail({ store }: Sandbox, input: JsonObject): HttpResponse {
  store.mails.add(
    check(input, {
      messageId: someText,
      to: someText,
      from: someText,
      subject: someText,
      text: someText,
      html: someText,
    }),
  );
  return json({ ok: true }, 201);
}
