import { randomUUID } from 'node:crypto';
import { startScript } from './script.ts';
import type { RealServer } from './server.ts';

/** A server for Bluesky accounts, and a directory of them. */
export interface PdsServer extends RealServer {
  /** Its address, without encryption. */
  readonly pds: string;
  readonly directory: string;
  addUser(handle: string): Promise<PdsUser>;
  freeze(): void;
  thaw(): void;
}

export interface PdsUser {
  did: string;
  handle: string;
  password: string;
  appPassword: string;
}

/** `host`: its public host name. */
export async function startPds(host = 'localhost'): Promise<PdsServer> {
  const script = await startScript('pds.js', [host]);
  const { pds, directory } = script.ready;
  const { version } = await ask(pds, '_health');
  return {
    name: `Bluesky's PDS ${version}`,
    pds,
    directory,
    addUser: (handle) => addUser(pds, handle),
    freeze: () => script.signal('SIGSTOP'),
    thaw: () => script.signal('SIGCONT'),
    [Symbol.asyncDispose]: () => script[Symbol.asyncDispose](),
  };
}

export async function addUser(pds: string, handle: string): Promise<PdsUser> {
  const password = randomUUID();
  const email = `${handle.replace('.', '@')}.example`;
  const { did, accessJwt } = await ask(pds, 'com.atproto.server.createAccount', { handle, email, password });
  const made = await ask(pds, 'com.atproto.server.createAppPassword', { name: 'crier' }, accessJwt);
  return { did, handle, password, appPassword: made.password };
}

/** The texts of all accounts' posts, as stored on the server. */
export async function storedTexts(pds: string): Promise<string[]> {
  const { repos } = await ask(pds, 'com.atproto.sync.listRepos?limit=500');
  const lists = repos.map(async ({ did: repo }: { did: string }) => {
    const query = new URLSearchParams({ repo, collection: 'app.bsky.feed.post', limit: '100' });
    const { records } = await ask(pds, `com.atproto.repo.listRecords?${query}`);
    return records.map(({ value }: { value: { text: string } }) => value.text);
  });
  return (await Promise.all(lists)).flat();
}

/** Calls the server directly, bypassing the code under test. */
export async function ask(pds: string, name: string, body?: object, token?: string) {
  const response = await fetch(`${pds}/xrpc/${name}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return JSON.parse(await response.text());
}
