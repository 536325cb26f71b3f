import type { Json } from '../../../src/foundation/lib/json.ts';
import { platformClient } from '../../../src/platforms/kit/http/client.ts';
import type { Media } from '../../../src/platforms/kit/index.ts';
import { stepRunner, until } from '../../../src/platforms/kit/steps.ts';
import { memorySteps } from '../publishing/memory-steps.ts';
import { serve } from './local.ts';

/** JSON, or a raw body. A number in `status` is the HTTP status. Without it, `error` means 400. */
export type GraphAnswer = Json | 'hang up';

interface Asked {
  /** Method and path, without the version: `GET /me`. */
  call: string;
  query: Record<string, string>;
  /** Without the token. */
  form: Record<string, string>;
  authorization: string | undefined;
  /** `access_token` of the form or the query. */
  token: string | undefined;
}

export const application = { id: 'client-1', secret: 'client-secret-0123456789' };
export const redirectUri = 'https://crier.example/connect/callback';

/** Simulates one of Meta's platforms with these responses, call by call. The last response of each call repeats. */
export async function graphServer(platform: 'instagram' | 'threads', answers: Record<string, GraphAnswer[]>) {
  const asked: Asked[] = [];
  const clock = { now: Date.parse('2031-02-03T04:05:06Z') };
  const script = new Map(Object.entries(answers).map(([call, list]) => [call, [...list]]));
  const server = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://graph.example');
    const call = `${request.method} ${pathname.replace(/^\/v[\d.]+/, '')}`;
    const { access_token, ...form } = Object.fromEntries(new URLSearchParams(await new Response(request).text()));
    const { authorization } = request.headers;
    const token = access_token ?? searchParams.get('access_token') ?? undefined;
    asked.push({ call, query: Object.fromEntries(searchParams), form, authorization, token });
    const list = script.get(call) ?? [];
    const answer = (list.length > 1 ? list.shift() : list[0]) ?? refusal(100, undefined, call);
    if (answer === 'hang up') return void request.socket.destroy();
    response.setHeader('date', new Date(clock.now).toUTCString());
    response.writeHead(statusOf(answer)).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  const steps = memorySteps({ now: () => new Date(clock.now) });
  const access = { ...server.access(), now: () => new Date(clock.now), applications: { [platform]: application } };
  const client = platformClient(access, platform, new AbortController().signal);
  const account = { id: '42', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'access-token-1', userId: '42' };
  return {
    ...server,
    asked,
    client,
    clock,
    steps,
    /** The context of a publishing run. */
    run: (runner = stepRunner) => ({
      ...client,
      account,
      credentials,
      postId: 'p',
      step: runner(steps.claim()),
      until,
    }),
    count: (call: string) => asked.filter((one) => one.call === call).length,
    sentTo: (call: string) => asked.filter((one) => one.call === call).map(({ form }) => form),
  };
}

function statusOf(answer: Json): number {
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return 200;
  if (typeof answer.status === 'number') return answer.status;
  return 'error' in answer ? 400 : 200;
}

export const refusal = (code: number, error_subcode?: number, message = 'No.') => ({
  error: { code, message, ...(error_subcode !== undefined && { error_subcode }) },
});

export const graphMedia = (kind: 'image' | 'video', name: string, altText = ''): Media => ({
  kind,
  type: kind === 'image' ? 'image/jpeg' : 'video/mp4',
  altText,
  width: 640,
  height: 480,
  seconds: kind === 'video' ? 4 : null,
  blob: async () => new Blob(),
  url: async () => new URL(`https://media.example/${name}?a=1&b=2`),
});
