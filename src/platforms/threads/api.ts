import { type output, z } from 'zod';
import { graphCalls } from '../graph/api.ts';
import { secret } from '../kit/index.ts';
import { failureIn, name } from './failure.ts';

export const Credentials = z.object({ accessToken: secret(), userId: z.string().min(1) });
export type Credentials = output<typeof Credentials>;

export const { call, request } = graphCalls({ name, baseUrl: 'https://graph.threads.net/v1.0', failureIn });
