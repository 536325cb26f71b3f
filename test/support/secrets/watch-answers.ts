import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { documentNames, documentPath } from '../../../src/foundation/http/openapi/parts.ts';
import { secretWatch } from './watch.ts';

/** Responses that may contain a secret. */
const signsIn = ['session token', 'device token'];
const handsOut: Record<string, readonly string[]> = {
  'POST /api/v1/auth/signup': signsIn,
  'POST /api/v1/auth/signin': [...signsIn, 'two-factor token'],
  'POST /api/v1/auth/signin/two-factor': signsIn,
  'POST /api/v1/auth/passkeys/sign-in': signsIn,
  'POST /api/v1/auth/verify-email': signsIn,
  'POST /api/v1/auth/api-keys': ['API key'],
  'POST /api/v1/auth/generate-api-key': ['API key'],
  'POST /api/v1/workspace/users/:userId/api-key': ['API key'],
  'POST /api/v1/auth/attach-token': ['attach token'],
  'POST /api/v1/auth/two-factor/start': ['TOTP secret'],
  'POST /api/v1/auth/two-factor/confirm': ['recovery code'],
  'POST /api/v1/auth/two-factor/recovery-codes': ['recovery code'],
  // An access token for an agent is an API key.
  'POST /token': ['API key'],
  'POST /authorize': [...signsIn, 'two-factor token'],
  // Pages that links in mails open, and their forms.
  'GET /reset-password': ['link token'],
  'POST /reset-password': ['link token'],
  'GET /verify-email': ['link token'],
  'POST /verify-email': ['link token'],
  'GET /confirm-email': ['link token'],
  'POST /confirm-email': ['link token'],
  'GET /sign-up': ['link token'],
  'POST /sign-up': ['link token', ...signsIn],
  'POST /api/v1/webhooks': ['webhook secret'],
  // With `format=webhook`, a listener gets a separate secret.
  'GET /api/v1/events': ['webhook secret'],
  // A route of a test.
  'POST /api/v1/in': signsIn,
  'POST /api/v1/webhooks/:webhookId/regenerate-secret': ['webhook secret'],
  'POST /api/v1/dashboard/webhooks': ['webhook secret'],
};

/** Their examples look like secrets. */
const documents = [...documentNames.map(documentPath), '/llms.txt', '/llms-full.txt', '/docs', '/docs/dashboard'];

let isWatching = false;

/** Watches the final output of every server in this process. */
export function watchAnswers() {
  if (isWatching) return;
  isWatching = true;
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRequest', async (request, reply) => watchAnswer(request, reply));
  });
}

function watchAnswer(request: FastifyRequest, reply: FastifyReply) {
  const { raw } = reply;
  const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
  if (documents.includes(path)) return;
  const route = `${request.method} ${path}`;
  const mayHold = handsOut[route] ?? [];
  const record = (text: string) => secretWatch.output(`the answer of ${route}`, text, mayHold);
  const [write, end] = [raw.write, raw.end];
  raw.write = function watched(this: ServerResponse, ...args: unknown[]) {
    recordChunk(args[0]);
    return Reflect.apply(write, this, args);
  };
  raw.end = function watched(this: ServerResponse, ...args: unknown[]) {
    if (raw.statusCode < 300) addPasswords(request.body);
    // A renewed session gets its own cookie again.
    record(without(JSON.stringify(reply.getHeaders()), credentialsIn(request)));
    recordChunk(args[0]);
    return Reflect.apply(end, this, args);
  };

  function recordChunk(chunk: unknown) {
    const isText = /json|text|event-stream/.test(String(reply.getHeader('content-type')));
    if (!isText || reply.hasHeader('content-encoding')) return;
    if (typeof chunk === 'string') record(chunk);
    else if (chunk instanceof Uint8Array) record(Buffer.from(chunk).toString());
  }
}

const credentialsIn = ({ headers: { cookie = '', authorization = '' } }: FastifyRequest) =>
  `${cookie} ${authorization}`.match(/[\w-]{16,}/g) ?? [];

const without = (text: string, words: readonly string[]) =>
  words.reduce((left, word) => left.replaceAll(word, ''), text);

/** Credentials for signing in or connecting an account. */
const passwordFields = ['password', 'newPassword', 'currentPassword', 'appPassword', 'botToken'];

function addPasswords(body: unknown) {
  // An uploaded file has millions of entries, none of them a field.
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body)) return;
  for (const [name, value] of Object.entries(body)) {
    if (name === 'fields') addPasswords(value);
    else if (passwordFields.includes(name) && typeof value === 'string') secretWatch.secret('password', value);
  }
}
