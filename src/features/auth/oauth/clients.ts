import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { shorten } from '../../../foundation/text/shorten.ts';
import { plainName } from '../../users/plain-name.ts';
import { insertClient, type OAuthClient, selectClient } from './queries.ts';
import { isAllowedRedirect } from './redirect-uri.ts';

/** An application's registration metadata (RFC 7591). Other fields are ignored. */
export const Registration = z.object({
  redirect_uris: z.array(z.string().max(2000)).min(1).max(10),
  // No one reads a name beyond this length.
  client_name: z
    .string()
    .catch('')
    .transform((name) => shorten(name, 1000)),
  token_endpoint_auth_method: z.string().default('client_secret_post'),
  grant_types: z.array(z.string()).max(20).default(['authorization_code', 'refresh_token']),
  response_types: z.array(z.string()).max(20).default(['code']),
});

const maxNameLength = 60;
const maxReported = 3;

/** Registers an application. Its secret, if requested, is returned only in this response. */
export async function registerClient({ db, clock, newId }: Pick<App, 'db' | 'clock' | 'newId'>, body: unknown) {
  const wanted = readRegistration(body);
  const secret = wanted.token_endpoint_auth_method === 'none' ? null : newSecret();
  const name = shorten(plainName(wanted.client_name), maxNameLength) || 'Unnamed application';
  const client: OAuthClient = {
    id: newId(),
    name,
    redirectUris: wanted.redirect_uris,
    secretHash: secret === null ? null : hashSecret(secret),
  };
  const now = clock.now();
  await insertClient(db, client, now);
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    client_name: name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: secret === null ? 'none' : 'client_secret_post',
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
  };
}

function readRegistration(body: unknown): z.output<typeof Registration> {
  const { data, error } = Registration.safeParse(body);
  const refuse = (error_description: string) => new Problem('oauth_invalid_client_metadata', { error_description });
  if (!data) {
    const wrong = error.issues.slice(0, maxReported).map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw refuse(wrong.join('; '));
  }
  if (!data.redirect_uris.every(isAllowedRedirect)) {
    throw new Problem('oauth_invalid_redirect_uri', {
      error_description: 'redirect_uris must be https URLs, or http URLs of the local machine, without a fragment.',
    });
  }
  if (!data.grant_types.includes('authorization_code')) throw refuse('grant_types must include authorization_code');
  if (!data.response_types.includes('code')) throw refuse('response_types must include code');
  return data;
}

/** The application that requests a token. If it has a secret, it must present it. */
export async function requireClient(
  { db }: Pick<App, 'db'>,
  { client_id = '', client_secret = '' }: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<OAuthClient> {
  const client = await selectClient(db, client_id);
  const isProven =
    client && (client.secretHash === null || timingSafeEqual(hashSecret(client_secret), client.secretHash));
  if (isProven) return client;
  throw new Problem('oauth_invalid_client', { error_description: 'Unknown client, or wrong client_secret.' });
}
