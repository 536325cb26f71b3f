import type { PlatformAccess } from '../../../src/platforms/kit/http/client.ts';
import { startScript } from './script.ts';
import type { RealServer } from './server.ts';

export interface OidcServer extends RealServer {
  /** Routes an adapter's calls to X to this server. */
  readonly access: Pick<PlatformAccess, 'fetch' | 'route'>;
  /** Signs in and consents as a person would in a browser. Returns the URL that the browser is redirected to. */
  consent(url: string, login: string): Promise<URL>;
}

/** The headers of a TLS proxy. */
const behindTls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'x.com' };

export async function startOidc(client: { id: string; secret: string }, redirectUri: string): Promise<OidcServer> {
  const script = await startScript('oidc.js', [client.id, client.secret, redirectUri]);
  const route = ({ pathname, search }: URL) => new URL(pathname + search, script.ready.url);
  return {
    name: 'A sign-in at oidc-provider',
    access: {
      route,
      fetch: (input, init) => fetch(input, { ...init, headers: { ...headersIn(init?.headers), ...behindTls } }),
    },
    consent: (url, login) => consent(route, url, login),
    [Symbol.asyncDispose]: () => script[Symbol.asyncDispose](),
  };
}

const headersIn = (headers: RequestInit['headers']) => Object.fromEntries(new Headers(headers));

async function consent(route: (url: URL) => URL, url: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(url);
  let form: URLSearchParams | null = null;
  for (let steps = 0; steps < 20; steps += 1) {
    const answer: Response = await fetch(route(next), {
      ...(form && { method: 'POST', body: form }),
      redirect: 'manual',
      headers: { ...behindTls, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    const page = await answer.text();
    if (location) {
      next = new URL(location, next);
      form = null;
      if (next.host !== 'x.com') return next;
      continue;
    }
    const [, action] = /action="([^"]+)"/.exec(page) ?? [];
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (!action || !prompt) throw new Error(`There is nothing to consent to: ${answer.status} ${page.slice(0, 500)}`);
    next = new URL(action, next);
    form = new URLSearchParams({ prompt, login, password: 'any' });
  }
  throw new Error('The consent never ended.');
}
