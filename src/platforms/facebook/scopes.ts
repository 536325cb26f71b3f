import { z } from 'zod';
import { messages, type PlatformClient, PlatformError } from '../kit/index.ts';
import { call, Id } from './api.ts';
import { name } from './failure.ts';

/** Without these, posts can be neither created nor found again. */
const required = ['pages_show_list', 'pages_manage_posts', 'pages_read_engagement'] as const;
/** The last one also shows Pages that belong to a business. */
export const scope = ['public_profile', ...required, 'business_management'].join(',');

export interface Permissions {
  /** The person who granted them. */
  grantedBy: string | undefined;
  scopes: string[];
  /** The Pages that a scope is limited to: people may tick only some of their Pages. */
  pages: ReadonlyMap<string, readonly string[] | undefined>;
}

const TokenDetails = z.object({
  data: z.object({
    user_id: Id.optional(),
    scopes: z.array(z.string()).default([]),
    granular_scopes: z.array(z.object({ scope: z.string(), target_ids: z.array(Id).optional() })).default([]),
  }),
});

/** The permissions of a token. */
export async function readPermissions(token: string, ctx: PlatformClient): Promise<Permissions> {
  const { id, secret } = ctx.application();
  const query = { input_token: token };
  const request = { path: '/debug_token', query, accessToken: `${id}|${secret}`, secrets: [token] };
  const { data } = await call(TokenDetails, request, ctx);
  const pages = new Map(data.granular_scopes.map((one) => [one.scope, one.target_ids]));
  return { grantedBy: data.user_id, scopes: data.scopes, pages };
}

export const missingScopes = ({ scopes }: Permissions): string[] => required.filter((one) => !scopes.includes(one));

export const missingScopesAt = (pageId: string, { scopes, pages }: Permissions): string[] =>
  required.filter((one) => !scopes.includes(one) || pages.get(one)?.includes(pageId) === false);

export const permissionMissing = (missing: readonly string[]) =>
  new PlatformError('auth', messages.permissionMissing(name), { reason: `Missing: ${missing.join(', ')}` });
