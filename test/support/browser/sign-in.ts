import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { PlatformName } from '../../../src/platforms/index.ts';
import { platformClient } from '../../../src/platforms/kit/http/client.ts';
import { serve } from '../servers/local.ts';

export const application = { id: 'client-1', secret: 'client-secret-0123456789' };
/** The service's time during the sign-in. */
export const now = new Date('2031-02-03T04:05:06Z');
export const redirectUri = 'https://crier.example/connect/callback';
export const authRequest = { redirectUri, state: 'state-1', codeChallenge: 'challenge-1', fields: {} };
export const callback = { redirectUri, code: 'the-code-1', codeVerifier: 'the-verifier-1', fields: {}, memo: null };

/** The parameters of a consent page, without those common to every vendor, which are checked here. */
export function vendorParameters({ searchParams }: URL): Record<string, string> {
  const { response_type, redirect_uri, state, ...own } = Object.fromEntries(searchParams);
  expect([response_type, redirect_uri, state]).toEqual(['code', redirectUri, authRequest.state]);
  return own;
}

interface VendorRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * A vendor with a response for each path that records the requests, for sign-ins with an application of the service.
 */
export async function oauthVendor(
  platform: PlatformName,
  answers: Readonly<Record<string, { status?: number; body: unknown }>>,
) {
  const requests: VendorRequest[] = [];
  const server = await serve(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) });
    const { status = 200, body } = answers[(request.url ?? '').replace(/\?.*/, '')] ?? { status: 404, body: {} };
    response.writeHead(status).end(JSON.stringify(body));
  });
  const access = { ...server.access(), now: () => now, applications: { [platform]: application } };
  return { ...server, requests, client: platformClient(access, platform, new AbortController().signal) };
}
