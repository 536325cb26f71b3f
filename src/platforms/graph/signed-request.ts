import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson, type Withdrawal } from '../kit/index.ts';

/**
 * Meta's `signed_request`: a signature and a payload, each in base64url. The application's secret signs the encoded
 * payload (https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback, read
 * 2026-11-16).
 */
export const withdrawal: Withdrawal = {
  personIn({ signed_request = '' }, { secret, now }) {
    const [signature = '', payload = ''] = signed_request.split('.', 2);
    if (!isSignedBy(secret, payload, signature)) return null;
    const { user_id, issued_at } = Payload.safeParse(parseJson(decode(payload))).data ?? {};
    if (user_id === undefined || issued_at === undefined) return null;
    return Math.abs(now.getTime() / 1000 - issued_at) <= maxAgeSeconds ? user_id : null;
  },
};

/** A replayed copy must not end a connection that the person has made since. */
const maxAgeSeconds = 3600;

const Payload = z.object({
  algorithm: z.literal('HMAC-SHA256'),
  user_id: z.string().regex(/^\d+$/),
  issued_at: z.number(),
});

function isSignedBy(secret: string, payload: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(payload).digest();
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** An unquoted id is too large for a number. */
const decode = (payload: string) =>
  Buffer.from(payload, 'base64url')
    .toString()
    .replace(/("user_id"\s*:\s*)(\d+)/, '$1"$2"');
