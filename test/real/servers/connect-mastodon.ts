import { Agent, fetch } from 'undici';
import type { Front } from './front.ts';
import type { LiveCrier } from './live-crier.ts';
import type { SnacUser } from './snac.ts';

/** Connects a snac account as a person would in a browser. Returns the id of the connection. */
export async function connectMastodon(crier: LiveCrier, host: string, front: Front, user: SnacUser): Promise<string> {
  const { url } = await crier.asPerson('POST', '/connect/mastodon', { fields: { instance: host } });
  const browser = browserTo(front);
  const page = await (await browser(url)).text();
  const form = new URLSearchParams({ login: user.name, passwd: user.password });
  for (const [, name = '', value = ''] of page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g))
    form.set(name, value.replaceAll('&amp;', '&'));
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page) ?? [];
  const signedIn = await browser(action, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(signedIn.headers.get('location') ?? '');
  const shown: string = await crier.asPerson('GET', `/connect/callback${back.search}`);
  const [, platformId] = /<code>(mastodon-[^<]+)<\/code>/.exec(shown) ?? [];
  if (!platformId) throw new Error(`The account was not connected: ${shown}`);
  return platformId;
}

/** A browser that trusts the proxy, and resolves every host to it. */
function browserTo({ port, ca }: Front) {
  const dispatcher = new Agent({
    connect: { ca, lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
  });
  return (url: string, init: Parameters<typeof fetch>[1] = {}) => {
    const address = Object.assign(new URL(url), { port: String(port) });
    return fetch(address, { ...init, dispatcher });
  };
}
