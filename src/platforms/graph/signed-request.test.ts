import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { withdrawal } from './signed-request.ts';

const secret = 'client-secret-0123456789';
const now = new Date('2031-02-03T04:05:06Z');
const issued_at = now.getTime() / 1000 - 5;
const payload = { algorithm: 'HMAC-SHA256', issued_at, user_id: '17841405793187218' };

const sign = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('base64url');
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const request = (value: unknown, key = secret) => `${sign(encode(value), key)}.${encode(value)}`;
const personIn = (signed_request: string) => withdrawal.personIn({ signed_request }, { secret, now });

test('names the person whom Meta signed for', () => {
  expect(personIn(request(payload))).toBe('17841405793187218');
});

test('an id without quotes keeps all its digits', () => {
  const text = `{"algorithm":"HMAC-SHA256","issued_at":${issued_at},"user_id": 17841405793187219}`;
  expect(personIn(request(text))).toBe('17841405793187219');
});

const [signature = '', body = ''] = request(payload).split('.');
test.for<[title: string, signed: string]>([
  ['nothing', ''],
  ['a signature alone', signature],
  ['no signature', `.${body}`],
  ['another secret', request(payload, 'other-secret')],
  ['another person under the same signature', `${signature}.${encode({ ...payload, user_id: '7' })}`],
  ['a cut signature', `${signature.slice(0, -4)}.${body}`],
  ['another algorithm', request({ ...payload, algorithm: 'none' })],
  ['no time', request({ ...payload, issued_at: undefined })],
  ['a copy from yesterday', request({ ...payload, issued_at: issued_at - 86_400 })],
  ['a time to come', request({ ...payload, issued_at: issued_at + 86_400 })],
  ['no JSON', request('hello')],
  ['an id with other characters', request({ ...payload, user_id: "1' or '1" })],
])('%s is refused', ([, signed]) => {
  expect(personIn(signed)).toBeNull();
});
