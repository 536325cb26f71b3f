import { type output, z } from 'zod';
import { graphCalls } from '../graph/api.ts';
import { apiVersions, secret } from '../kit/index.ts';
import { failureIn, name } from './failure.ts';

export const Credentials = z.object({ accessToken: secret(), userId: z.string().min(1) });
export type Credentials = output<typeof Credentials>;

const baseUrl = `https://graph.threads.net/${apiVersions.threads.version}`;

/** Meta documents the token as a parameter (https://developers.facebook.com/docs/threads/posts, read 2026-11). */
export const { call, request } = graphCalls({ name, baseUrl, failureIn, tokenIn: 'parameters' });
