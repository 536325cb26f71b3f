import { z } from 'zod';
import {
  type Account,
  type apiCalls,
  applicationFields,
  authorizeUrl,
  codeForm,
  expiryAfter,
  messages,
  type OAuthConnect,
  type PlatformClient,
  PlatformError,
  scopesIn,
  Token,
} from '../kit/index.ts';
import { perhapsListed, type SignedIn } from './api.ts';
import { reclassify } from './failure.ts';

type UserCredentials = { accessToken: string; userId: string };

/** The login of Instagram and Threads. */
export interface GraphLogin {
  readonly name: string;
  readonly request: ReturnType<typeof apiCalls>['call'];
  readonly scope: string;
  readonly consentUrl: string;
  readonly codeUrl: string;
  /** Where long-lived tokens are issued and refreshed. */
  readonly tokenUrl: string;
  /** Prefix of grant types: `ig_exchange_token`, `ig_refresh_token`. */
  readonly grantPrefix: string;
  /** `permissions` are those that came with the code, if the platform reports them there. */
  readGrant(ctx: SignedIn, permissions: string[]): Promise<{ account: Account; scopes: string[] }>;
}

/** Neither platform supports PKCE or refresh tokens: a token that still works is exchanged for a new one. */
export function graphConnect(login: GraphLogin): OAuthConnect<UserCredentials> {
  const { name, scope, consentUrl, codeUrl, tokenUrl, grantPrefix, request, readGrant } = login;

  const readLongLivedToken = async (path: string, query: Query, secrets: readonly string[], ctx: PlatformClient) => {
    const token = await request(Token, { url: tokenUrl + path, query, secrets }, ctx).catch(rejectSignIn(name));
    const expiresAt = expiryAfter(token.expires_in ?? longLivedSeconds, ctx);
    return { accessToken: token.access_token, expiresAt };
  };

  return {
    kind: 'oauth',

    async start(authRequest, ctx) {
      return { url: authorizeUrl({ url: consentUrl, scope, pkce: false }, authRequest, ctx) };
    },

    /** The code is exchanged for a token that lasts an hour, and that one for a token that lasts 60 days. */
    async finish(callback, ctx) {
      const code = callback.code.replace(/#_$/, '');
      const { fields, secrets } = applicationFields(ctx);
      const body = new URLSearchParams({ ...fields, ...codeForm({ code, redirectUri: callback.redirectUri }) });
      const exchange = { url: codeUrl, body, secrets: [...secrets, code] };
      const short = await request(ShortLivedToken, exchange, ctx).catch(rejectSignIn(name));
      const query = {
        grant_type: `${grantPrefix}_exchange_token`,
        client_secret: ctx.application().secret,
        access_token: short.access_token,
      };
      const token = await readLongLivedToken('/access_token', query, [...secrets, short.access_token], ctx);
      const { accessToken, expiresAt } = token;
      const grant = await readGrant({ ...ctx, credentials: { accessToken } }, short.permissions);
      return [{ ...grant, credentials: { accessToken, userId: grant.account.id }, expiresAt }];
    },

    async refresh({ accessToken, userId }, ctx) {
      const query = { grant_type: `${grantPrefix}_refresh_token`, access_token: accessToken };
      const token = await readLongLivedToken('/refresh_access_token', query, [accessToken], ctx);
      return { credentials: { accessToken: token.accessToken, userId }, expiresAt: token.expiresAt };
    },
  };
}

type Query = Readonly<Record<string, string>>;

/** The documented lifetime, for responses without one. */
const longLivedSeconds = 60 * 86_400;

const ShortLivedToken = perhapsListed(
  Token.pick({ access_token: true }).extend({
    permissions: z
      .union([z.array(z.string()), z.string()])
      .default([])
      .transform((names) => scopesIn(names.toString())),
  }),
);

/** If a token endpoint rejects a request for an unknown reason, the sign-in is at fault. */
export function rejectSignIn(name: string) {
  return (error: unknown): never => {
    if (!(error instanceof PlatformError) || error.kind !== 'rejected') throw error;
    throw reclassify(error, 'auth', messages.signInRejected(name));
  };
}
