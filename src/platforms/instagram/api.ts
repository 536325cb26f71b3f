import { type output, z } from 'zod';
import { graphCalls } from '../graph/api.ts';
import { secret } from '../kit/index.ts';
import { failureIn, name } from './failure.ts';

export const Credentials = z.object({
  accessToken: secret(),
  /** The id of the professional account, which paths need. It is not the id that is scoped to our application. */
  userId: z.string().min(1),
});
export type Credentials = output<typeof Credentials>;

/** Meta retires each version about two years after the next one: this one on 2028-07-29. */
const baseUrl = 'https://graph.instagram.com/v25.0';

export const { call, request } = graphCalls({ name, baseUrl, failureIn, tokenIn: 'header' });
