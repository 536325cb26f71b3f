import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { ConnectionError, CrierError, fetchWithinOrigin } from '@crier/client';
import { CommandError } from './failures.ts';
import type { Output } from './output.ts';

const limitMs = 300_000;
/** The service stores at most 60 characters of the name. */
const maxHostLength = 40;

/** Opens the service's page where the user approves this machine (OAuth 2.1 with PKCE). Returns an API key. */
export async function signInWithBrowser(url: string, out: Output): Promise<string> {
  const endpoints = await readMetadata(url);
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const { client_id } = await request(endpoints.registration, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: `Command line on ${hostname().slice(0, maxHostLength)}`,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
      }),
    });
    const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
    const page = new URL(endpoints.authorization);
    page.search = String(
      new URLSearchParams({
        response_type: 'code',
        client_id: client_id!,
        redirect_uri: redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        resource: `${url}/api/v1`,
      }),
    );
    out.note(`Open this page to sign in:\n  ${page}`);
    openBrowser(String(page));
    const code = await receiveCode(server, state);
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: client_id! };
    const { access_token } = await request(endpoints.token, {
      method: 'POST',
      body: new URLSearchParams({ ...form, code_verifier: verifier }),
    });
    return access_token!;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function readMetadata(url: string) {
  const metadata = await request(`${url}/.well-known/oauth-authorization-server`, {}).catch((error) => {
    if (error instanceof CrierError) throw error;
    throw failed(
      'This service does not support sign-in with a browser.',
      'Create a key in the dashboard, then run: crier login --key sk_…',
    );
  });
  // The endpoints must be on the service itself. Any other URL could open a file, or receive the code, which is as good
  // as a key.
  const endpointFor = (name: string) => {
    const address = metadata[`${name}_endpoint`];
    if (URL.parse(String(address))?.origin === new URL(url).origin) return String(address);
    throw failed(
      `The service at ${url} uses a sign-in URL on another host: ${address}.`,
      'If that is your Crier instance, use its address: crier login --url <address>. Or sign in with a key: crier login --key sk_…',
    );
  };
  return {
    authorization: endpointFor('authorization'),
    token: endpointFor('token'),
    registration: endpointFor('registration'),
  };
}

async function request(url: string, init: RequestInit): Promise<Record<string, string>> {
  const response = await fetchWithinOrigin(url, init).catch((cause) => {
    if (cause instanceof CrierError) throw cause;
    const about = `The service at ${new URL(url).origin} did not respond.`;
    throw new ConnectionError(about, { code: 'CONNECTION_LOST' }, { cause });
  });
  const body = (await response.json().catch(() => ({}))) as Record<string, string>;
  if (response.ok) return body;
  throw failed(body.error_description ?? body.error ?? `The service returned status ${response.status}.`, null);
}

/** Waits for the browser to come back. Ignores requests with another state. */
async function receiveCode(server: Server, state: string): Promise<string> {
  const timer = AbortSignal.timeout(limitMs);
  for (;;) {
    const [incoming, response] = await once(server, 'request', { signal: timer }).catch(() => {
      throw failed('The sign-in was not approved within five minutes.', 'Run crier login again.');
    });
    const url = URL.parse(incoming.url, 'http://127.0.0.1');
    const isOurs = url?.pathname === '/callback' && url.searchParams.get('state') === state;
    const code = url?.searchParams.get('code');
    response.setHeader('content-type', 'text/plain; charset=utf-8').setHeader('connection', 'close');
    if (!isOurs) response.writeHead(404).end('Not found.');
    else if (code) {
      await new Promise<void>((resolve) => response.end('You are signed in. You can close this page.', resolve));
      return code;
    } else {
      await new Promise<void>((resolve) => response.end('You are not signed in. You can close this page.', resolve));
      throw failed('The sign-in was denied.', 'Run crier login again, and approve.');
    }
  }
}

const failed = (message: string, hint: string | null) =>
  new CommandError('notSignedIn', message, { code: 'SIGN_IN_FAILED', hint });

/** The URL is also printed, for machines without a browser. It does not go through a shell. */
function openBrowser(url: string): void {
  const { BROWSER } = process.env;
  const [command, ...args] = BROWSER ? [BROWSER] : (openers[process.platform] ?? ['xdg-open']);
  const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
