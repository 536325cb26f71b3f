import { type output, type ZodType, z } from 'zod';
import { type PlatformClient, PlatformError } from '../kit/index.ts';
import { parseJson, type refusalReader } from './failure.ts';

export interface Call {
  path: string;
  query?: Record<string, string>;
  /** Makes it a POST. */
  form?: Record<string, string>;
}

export type SignedIn = Pick<PlatformClient, 'fetch'> & { credentials: { accessToken: string } };

/** The way to one network of Meta's. */
export function graphCalls(platform: {
  name: string;
  /** With its version. */
  graph: string;
  failureIn: ReturnType<typeof refusalReader>;
}) {
  /** `secrets` must not show, should the answer repeat what was sent. */
  async function request<T extends ZodType>(
    answer: T,
    url: URL,
    init: RequestInit,
    secrets: readonly string[],
    ctx: Pick<PlatformClient, 'fetch'>,
  ): Promise<output<T>> {
    const response = await ctx.fetch(url, init);
    // A refusal stays one although its body broke off.
    const text = await response.text().catch((error) => (response.ok ? Promise.reject(error) : ''));
    const body = parseJson(text);
    const failure = platform.failureIn(response, body, secrets);
    if (failure) throw failure;
    const parsed = answer.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new PlatformError('unavailable', `${platform.name} gave an answer that makes no sense.`, {
      status: response.status,
      reason: z.prettifyError(parsed.error),
    });
  }

  /** Calls the API as the account. */
  function call<T extends ZodType>(answer: T, { path, query = {}, form }: Call, ctx: SignedIn): Promise<output<T>> {
    const { accessToken } = ctx.credentials;
    const url = new URL(platform.graph + path);
    url.search = new URLSearchParams(query).toString();
    const headers = { authorization: `Bearer ${accessToken}` };
    const init = form ? { method: 'POST', headers, body: new URLSearchParams(form) } : { headers };
    return request(answer, url, init, [accessToken], ctx);
  }

  return { call, request };
}
