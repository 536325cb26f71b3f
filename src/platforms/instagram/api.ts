import { type output, z } from 'zod';
import { graphCalls } from '../graph/api.ts';
import { apiVersions, secret } from '../kit/index.ts';
import { failureIn, name } from './failure.ts';

export const Credentials = z.object({
  accessToken: secret(),
  /** The id of the professional account, which paths need. This is not the app-scoped id. */
  userId: z.string().min(1),
});
export type Credentials = output<typeof Credentials>;

const baseUrl = `https://graph.instagram.com/${apiVersions.instagram.version}`;

export const { call, request } = graphCalls({ name, baseUrl, failureIn, tokenIn: 'header' });
