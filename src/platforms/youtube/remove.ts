import { type Context, type Removal, removal } from '../kit/index.ts';
import { api, type Credentials, send } from './api.ts';

export function remove(id: string, ctx: Context<Credentials>): Promise<Removal> {
  const { accessToken } = ctx.credentials;
  const request = { method: 'DELETE' as const, url: `${api}/videos`, query: { id }, accessToken };
  return removal(send(request, ctx), { isMissing: ({ status }) => status === 404 });
}
